// SPDX-License-Identifier: MIT

/// Reads any sound file that libsndfile knows as interleaved Float frames.
///
/// WAV, RF64, AIFF, CAF, FLAC, Ogg Vorbis, Ogg Opus, MP3 and more; the format is found from the
/// content, never from the name. Integer formats are scaled to −1…1, float formats are given as they
/// are stored.
///
/// One thread at a time; it reads the disk, so never the audio thread.
public final class AudioFileReader {
  /// What the file says about itself.
  public let info: AudioFileInfo

  /// Opens a file.
  ///
  /// Only regular files are opened, so that a pipe or a device cannot make the caller wait for ever.
  ///
  /// - Parameter path: The file, absolute or relative to the working directory.
  /// - Throws: `AudioFileError` with `invalidPath`, `cannotOpen`, `notARegularFile`,
  ///   `unknownFormat` or `damaged`.
  public init(path: String) throws(AudioFileError) { fatalError("unwritten") }

  /// Reads the next frames.
  ///
  /// - Parameter interleaved: Where the samples go; its count is a multiple of the channels.
  /// - Returns: The frames read, fewer than asked for only at the end of the file.
  public func read(into interleaved: inout MutableSpan<Float>) -> Int { fatalError("unwritten") }

  /// Goes to a frame, so that the next `read` starts with it.
  ///
  /// - Parameter frame: 0 up to the length of the file.
  /// - Throws: `AudioFileError` with `cannotSeek`.
  public func seek(toFrame frame: Int) throws(AudioFileError) { fatalError("unwritten") }
}
