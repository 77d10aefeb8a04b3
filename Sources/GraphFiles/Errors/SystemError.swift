// SPDX-License-Identifier: MIT

internal import Glibc

/// The system's words for its error numbers.
enum SystemError {
  /// The text for `code`, starting in lower case so that it fits into a message.
  static func text(_ code: Int32) -> String {
    // The buffer of glibc's strerror belongs to the calling thread.
    guard let description = unsafe strerror(code) else { return "error \(code)" }
    let text = unsafe String(cString: description)
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
