// SPDX-License-Identifier: MIT

import Glibc

/// What the last failed system call said, in words.
func lastSystemError() -> String { systemError(errno) }

/// What an error number means, in words.
func systemError(_ code: CInt) -> String {
  unsafe String(cString: strerror(code))
}
