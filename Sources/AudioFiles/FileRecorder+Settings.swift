// SPDX-License-Identifier: MIT

extension FileRecorder {
  /// When a new file is begun.
  ///
  /// No frame is lost or doubled in between.
  public enum Split: Sendable, Hashable {
    /// Never.
    case never
    /// After so many frames.
    case frames(Int)
    /// Before a file gets larger than so many bytes of samples, uncompressed.
    case bytes(Int)
  }

  /// How a recording is made.
  public struct Settings: Sendable {
    /// How it is stored.
    public var format: AudioFileFormat
    /// Rate of the audio thread, in frames per second.
    public var sampleRateHz: Double
    /// Channels to record.
    public var channels: Int
    /// When a new file is begun.
    ///
    /// Split recordings are numbered: `take-001.wav`, `take-002.wav`.
    public var split: Split
    /// How long the disk may hang without a loss, 0.1…60 seconds.
    public var bufferSeconds: Double
    /// Whether files of the same name are replaced.
    public var overwrites: Bool
    /// Whether a number goes to the first file's name too where a file of that name is there.
    public var stepsOverExisting: Bool

    /// Makes settings.
    ///
    /// - Parameters:
    ///   - format: How it is stored.
    ///   - sampleRateHz: Rate of the audio thread, in frames per second.
    ///   - channels: 1…1024, for FLAC 1…8.
    ///   - split: When a new file is begun.
    ///   - bufferSeconds: How long the disk may hang without a loss, 0.1…60 seconds.
    ///   - overwrites: Whether files of the same name are replaced.
    ///   - stepsOverExisting: Whether a free number is taken where there is a file of that name.
    public init(
      format: AudioFileFormat,
      sampleRateHz: Double,
      channels: Int,
      split: Split = .never,
      bufferSeconds: Double = 4,
      overwrites: Bool = false,
      stepsOverExisting: Bool = false,
    ) {
      self.format = format
      self.sampleRateHz = sampleRateHz
      self.channels = channels
      self.split = split
      self.bufferSeconds = bufferSeconds
      self.overwrites = overwrites
      self.stepsOverExisting = stepsOverExisting
    }
  }

  /// Where a recording stands.
  public struct Status: Sendable, Equatable {
    /// The files made so far, the current one last.
    public var paths: [String]
    /// Frames in these files.
    public var framesWritten: Int
    /// Frames that the audio thread or a failing disk lost.
    ///
    /// They are silence in the files where the audio thread found no room, so that recordings stay
    /// aligned.
    public var framesLost: Int
    /// The fault that keeps it from writing now.
    public var error: AudioFileError?

    /// Nothing recorded yet.
    public static let empty = Status(paths: [], framesWritten: 0, framesLost: 0)

    /// This recording and a later one together, with the later one's fault.
    public func adding(_ later: Status) -> Status {
      Status(
        paths: paths + later.paths,
        framesWritten: framesWritten + later.framesWritten,
        framesLost: framesLost + later.framesLost,
        error: later.error,
      )
    }
  }
}
