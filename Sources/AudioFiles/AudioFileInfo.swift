// SPDX-License-Identifier: MIT

/// What an audio file says about itself.
public struct AudioFileInfo: Sendable, Equatable {
  /// The path as it was given.
  public let path: String

  /// The rate the file was recorded at, in frames per second.
  public let sampleRateHz: Double

  /// The number of interleaved channels, 1 or more.
  public let channels: Int

  /// The length in frames, or nil where the file does not say, such as a FLAC whose writer was
  /// killed.
  ///
  /// Of an MP3 without a length header this is an estimate.
  public let frames: Int?

  /// The format in words, such as "FLAC (Free Lossless Audio Codec), Signed 16 bit PCM".
  public let formatName: String

  /// The length in seconds, or nil where `frames` is nil.
  public var durationSeconds: Double? {
    frames.map { Double($0) / sampleRateHz }
  }
}
