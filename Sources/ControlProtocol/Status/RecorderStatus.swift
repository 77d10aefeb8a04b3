// SPDX-License-Identifier: MIT

/// A recorder: a recording of a strip or route, running or not.
public struct RecorderStatus: Codable, Sendable, Hashable {
  /// The recorder's name.
  public var name: String
  /// The strip or route that it records.
  public var from: String
  /// Whether it takes what is heard there.
  public var recording: Bool
  /// The files made so far, the current one last.
  public var files: [String]
  /// Frames in these files.
  public var framesWritten: Int
  /// Frames that reached no file; 0 unless the disk failed or hung for too long.
  public var framesLost: Int
  /// What keeps it from writing now, `null` while all is well.
  @OrNull public var fault: String?

  /// Makes the value from its parts.
  public init(
    name: String,
    from: String,
    recording: Bool,
    files: [String],
    framesWritten: Int,
    framesLost: Int,
    fault: String?,
  ) {
    self.name = name
    self.from = from
    self.recording = recording
    self.files = files
    self.framesWritten = framesWritten
    self.framesLost = framesLost
    self.fault = fault
  }
}
