// SPDX-License-Identifier: MIT

extension FileRecorder {
  /// When a new file is begun.
  ///
  /// The files join exactly: every frame is in exactly one of them.
  public enum Split: Sendable, Hashable {
    /// The recording is one file.
    case never
    /// After so many frames.
    case frames(Int)
    /// Before a file gets larger than so many bytes of samples, uncompressed.
    case bytes(Int)
  }

  /// The settings of a recording.
  ///
  /// A plain value: [any-thread].
  public struct Settings: Sendable {
    /// The sample format.
    public var format: AudioFileFormat
    /// Rate of the audio thread, in frames per second.
    public var sampleRateHz: Double
    /// Rate of the file, in frames per second; nil for that of the audio thread.
    public var fileSampleRateHz: Double?
    /// Channels to record.
    public var channels: Int
    /// When a new file is begun.
    ///
    /// Split recordings are numbered: `take-001.wav`, `take-002.wav`.
    public var split: Split
    /// Longest stall of the disk without a loss, 0.1…60 seconds.
    public var bufferSeconds: Double
    /// Whether files of the same name are replaced.
    public var overwrites: Bool
    /// Whether a number goes to the first file's name too where a file of that name is there.
    public var stepsOverExisting: Bool

    /// Makes settings.
    ///
    /// - Parameters:
    ///   - format: The sample format.
    ///   - sampleRateHz: Rate of the audio thread, in frames per second.
    ///   - fileSampleRateHz: Rate of the file; nil for that of the audio thread.
    ///   - channels: 1…1024, for FLAC 1…8.
    ///   - split: When a new file is begun.
    ///   - bufferSeconds: Longest stall of the disk without a loss, 0.1…60 seconds.
    ///   - overwrites: Whether files of the same name are replaced.
    ///   - stepsOverExisting: Whether a free number is taken where there is a file of that name.
    public init(
      format: AudioFileFormat,
      sampleRateHz: Double,
      fileSampleRateHz: Double? = nil,
      channels: Int,
      split: Split = .never,
      bufferSeconds: Double = 4,
      overwrites: Bool = false,
      stepsOverExisting: Bool = false,
    ) {
      self.format = format
      self.sampleRateHz = sampleRateHz
      self.fileSampleRateHz = fileSampleRateHz
      self.channels = channels
      self.split = split
      self.bufferSeconds = bufferSeconds
      self.overwrites = overwrites
      self.stepsOverExisting = stepsOverExisting
    }
  }

  /// The state of a recording.
  ///
  /// A plain value: [any-thread].
  public struct Status: Sendable, Equatable {
    /// The files made so far, the current one last.
    public var paths: [String]
    /// Frames in these files, at the files' sample rate.
    public var framesWritten: Int
    /// Frames that the audio thread or a failing disk lost.
    ///
    /// They are silence in the files where the audio thread found no room, so that recordings stay
    /// aligned.
    public var framesLost: Int
    /// The fault that keeps it from writing now.
    public var error: AudioFileError?

    /// The state before the first frame.
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

/// An event of a recorder, from its writer thread.
public enum FileRecorderEvent: Sendable, Equatable {
  /// A file was begun.
  case began(path: String)
  /// A file was finished after so many frames.
  case finished(path: String, frames: Int)
  /// Writing failed. The file so far can be played; the recorder tries again every second, with a new
  /// file.
  case failed(AudioFileError)
  /// The audio thread found no room, or a failure threw frames away, since the last such event.
  ///
  /// Reported at once, then every 10 s during the loss, and at its end.
  case lost(frames: Int)
}
