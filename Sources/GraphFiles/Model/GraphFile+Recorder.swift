// SPDX-License-Identifier: MIT

extension GraphFile {
  /// A recording of a source or an output route, one entry of `recorders`.
  public struct Recorder: Sendable, Equatable {
    /// The name other programs use.
    public var name: String
    /// The name of the source or output route that is recorded.
    public var subject: String
    /// The path as written in the graph file.
    public var path: String
    /// The path to open: `path`, from the graph file's folder if it was relative.
    public var resolvedPath: String
    /// The kind of file.
    public var format = Format.wav
    /// How a sample is stored.
    public var samples = Samples.float32
    /// When a new file is begun.
    public var split: Split?
    /// How long the disk may hang without a loss, 0.1…60 s.
    public var bufferDuration = Duration.seconds(4)
    /// Whether it begins with the host, and not when asked to.
    public var startsWithHost = true

    /// Makes a recorder with all defaults.
    public init(name: String, subject: String, path: String, resolvedPath: String) {
      self.name = name
      self.subject = subject
      self.path = path
      self.resolvedPath = resolvedPath
    }
  }
}

extension GraphFile.Recorder {
  /// The most channels of a FLAC file.
  public static let flacChannelLimit = 8

  /// The kind of file; the raw value is the name in the file.
  public enum Format: String, Sendable, CaseIterable {
    /// WAV, or RF64 past 4 GiB.
    case wav
    /// Lossless, half the size, at most 8 channels.
    case flac
  }

  /// How a sample is stored; the raw value is the name in the file.
  public enum Samples: String, Sendable, CaseIterable {
    /// 16 bit integers.
    case pcm16
    /// 24 bit integers.
    case pcm24
    /// 32 bit floats; WAV only.
    case float32
  }

  /// When a new file is begun.
  public enum Split: Sendable, Equatable {
    /// After so long, 1 s…24 h.
    case duration(Duration)
    /// Before the samples, uncompressed, take more bytes, 1 MB…1 TB.
    case bytes(Int)
  }
}
