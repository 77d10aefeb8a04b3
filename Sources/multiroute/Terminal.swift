// SPDX-License-Identifier: MIT

import Glibc

/// The two output streams of the process.
enum Terminal {
  /// Whether standard output is a terminal.
  static var isInteractive: Bool { isatty(STDOUT_FILENO) == 1 }

  /// The width of the terminal in characters, 80 where it is not known.
  static var columns: Int {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return 80
    }
    return Int(size.ws_col)
  }

  /// Writes a line to standard output at once, so that a reader of a pipe sees it.
  static func say(_ line: String) {
    print(line)
    fflush(nil)
  }

  /// Writes a line to standard error.
  static func complain(_ line: String, end: String = "\n") {
    let bytes = Array((line + end).utf8)
    _ = unsafe write(STDERR_FILENO, bytes, bytes.count)
  }
}
