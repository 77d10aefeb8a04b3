// SPDX-License-Identifier: MIT

import Glibc

/// Makes sure that a directory is there and is nobody else's.
enum SocketDirectory {
  /// Makes the directory with mode 0700, or checks and tightens one that exists.
  ///
  /// - Throws: `directory` when it cannot be made, is no directory, or is another user's.
  static func prepare(_ path: String) throws(ControlServerError) {
    try make(path)
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else {
      throw fault(path, lastSystemError())
    }
    // A symbolic link counts as no directory: in /tmp somebody else could have put it there.
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw fault(path, "it is not a directory")
    }
    guard status.st_uid == geteuid() else {
      throw fault(path, "it belongs to user \(status.st_uid), not to \(geteuid())")
    }
    guard unsafe status.st_mode & 0o777 == 0o700 || chmod(path, 0o700) == 0 else {
      throw fault(path, "its mode cannot be set to 0700: \(lastSystemError())")
    }
  }

  private static func make(_ path: String) throws(ControlServerError) {
    if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    let code = errno
    guard code == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
      throw fault(path, systemError(code))
    }
    try make(String(path[..<slash]))
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw fault(path, lastSystemError())
    }
  }

  private static func fault(_ path: String, _ fault: String) -> ControlServerError {
    ControlServerError(
      .directory,
      "\(path): \(fault); allowed: a directory of the user that runs the host, mode 0700 "
        + "(\(SocketPath.environmentVariable) says where)",
    )
  }
}
