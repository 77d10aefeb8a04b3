// SPDX-License-Identifier: MIT

import Glibc

/// The reason why a sound file could not be read or written: the file, the fault, the allowed values.
///
/// Pure value: [any-thread].
public struct AudioFileError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kinds of fault, for programs that act on them.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The name of the fault as it appears in logs.
    public let description: String

    /// The path is no path: empty, or with a NUL in it.
    public static let invalidPath = Code(description: "invalidPath")
    /// The system refuses to open the file.
    public static let cannotOpen = Code(description: "cannotOpen")
    /// The path names a directory, a pipe or a device.
    public static let notARegularFile = Code(description: "notARegularFile")
    /// The content is no audio that can be read.
    public static let unknownFormat = Code(description: "unknownFormat")
    /// The file is of a known format, but damaged or without a single frame.
    public static let damaged = Code(description: "damaged")
    /// A position outside of the file, or a file that cannot be positioned.
    public static let cannotSeek = Code(description: "cannotSeek")
    /// A setting is outside of its allowed values.
    public static let invalidSetting = Code(description: "invalidSetting")
    /// There is a file of that name already, and overwriting was not asked for.
    public static let alreadyExists = Code(description: "alreadyExists")
    /// The system refuses to create the file.
    public static let cannotCreate = Code(description: "cannotCreate")
    /// The disk is full, or a quota or size limit is reached.
    public static let diskFull = Code(description: "diskFull")
    /// Writing failed for another reason.
    public static let cannotWrite = Code(description: "cannotWrite")
  }

  /// The kind of fault.
  public let code: Code

  /// The file it is about.
  public let path: String

  /// The fault, with the message of the system or of libsndfile when there is one.
  public let reason: String

  /// The values that are allowed.
  public let allowed: String

  /// One line with the place, the fault and the allowed values.
  public var description: String {
    "\(path.isEmpty ? "(no path)" : path): \(reason); allowed: \(allowed)"
  }
}

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
