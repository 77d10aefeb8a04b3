// SPDX-License-Identifier: MIT

internal import Glibc

extension AudioFileError {
  /// The fault that the C library's last call left in `errno`.
  static func system(_ code: Code, path: String, doing what: String, allowed: String) -> Self {
    let number = errno
    let isFull = number == ENOSPC || number == EDQUOT || number == EFBIG
    return AudioFileError(
      code: isFull ? .diskFull : code,
      path: path,
      reason: "\(what): \(describe(errno: number))",
      allowed: isFull ? "a disk with free space" : allowed,
    )
  }

  /// A setting out of range.
  static func setting(_ reason: String, allowed: String, path: String = "") -> Self {
    AudioFileError(code: .invalidSetting, path: path, reason: reason, allowed: allowed)
  }

  /// Refuses what cannot be handed to the system as a path.
  static func checkPath(_ path: String) throws(AudioFileError) {
    let allowed = "a path of 1 to 4095 bytes without NUL"
    guard !path.isEmpty else {
      throw AudioFileError(
        code: .invalidPath,
        path: path,
        reason: "the path is empty",
        allowed: allowed,
      )
    }
    guard !path.utf8.contains(0) else {
      throw AudioFileError(
        code: .invalidPath,
        path: String(path.prefix { $0 != "\0" }),
        reason: "there is a NUL after this part of the path",
        allowed: allowed,
      )
    }
  }

  private static func describe(errno number: Int32) -> String {
    guard let text = unsafe strerror(number) else { return "error \(number)" }
    return unsafe String(cString: text)
  }
}
