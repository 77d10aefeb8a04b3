// SPDX-License-Identifier: MIT

/// Writes interleaved Float frames to a WAV, RF64 or FLAC file that can be played at any moment.
///
/// The header of a WAV is brought up to date with every `write`, so after a kill everything that
/// was written plays. A FLAC is a stream of blocks of 4096 frames: after a kill all but the last,
/// unfinished block plays, and its header says "length unknown" until `close`.
///
/// One thread at a time; it writes the disk, so never the audio thread.
public final class AudioFileWriter {
  /// The path as it was given.
  public let path: String

  /// Frames handed to the file so far.
  public private(set) var framesWritten: Int

  /// Creates a file.
  ///
  /// - Parameters:
  ///   - path: The file to create.
  ///   - format: How it is stored.
  ///   - sampleRateHz: Rounded to whole Hz, 1…655,350.
  ///   - channels: 1…1024 for WAV, 1…8 for FLAC.
  ///   - overwrites: Whether a file of that name is replaced, or an error.
  /// - Throws: `AudioFileError` with `invalidPath`, `invalidSetting`, `alreadyExists`,
  ///   `cannotCreate` or `diskFull`.
  public init(
    path: String,
    format: AudioFileFormat,
    sampleRateHz: Double,
    channels: Int,
    overwrites: Bool = false,
  ) throws(AudioFileError) { fatalError("unwritten") }

  /// Appends frames.
  ///
  /// Integer formats clip at full scale.
  ///
  /// - Parameter interleaved: The samples; the count is a multiple of the channels.
  /// - Throws: `AudioFileError` with `diskFull` or `cannotWrite`. What was written before plays.
  public func write(_ interleaved: Span<Float>) throws(AudioFileError) { fatalError("unwritten") }

  /// Finishes the file; the object is spent afterwards.
  ///
  /// Happens at the end of its life, too.
  ///
  /// - Throws: `AudioFileError` with `diskFull` or `cannotWrite`.
  public func close() throws(AudioFileError) { fatalError("unwritten") }
}
