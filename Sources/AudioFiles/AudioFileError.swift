// SPDX-License-Identifier: MIT

/// Why a sound file could not be read or written: which file, what is wrong, what is allowed.
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
    /// A setting is outside of what is allowed.
    public static let invalidSetting = Code(description: "invalidSetting")
    /// There is a file of that name already, and overwriting was not asked for.
    public static let alreadyExists = Code(description: "alreadyExists")
    /// The system refuses to create the file.
    public static let cannotCreate = Code(description: "cannotCreate")
    /// No space is left, or a quota or size limit is reached.
    public static let diskFull = Code(description: "diskFull")
    /// Writing failed for another reason.
    public static let cannotWrite = Code(description: "cannotWrite")
  }

  /// The kind of fault.
  public let code: Code

  /// The file it is about.
  public let path: String

  /// What is wrong, with the system's or libsndfile's own words where there are any.
  public let reason: String

  /// What would have been allowed.
  public let allowed: String

  /// One line with the place, the fault and what is allowed.
  public var description: String {
    "\(path.isEmpty ? "(no path)" : path): \(reason); allowed: \(allowed)"
  }
}
