// SPDX-License-Identifier: MIT

public import Sessions

extension GraphFile {
  /// The audio session of the host itself.
  ///
  /// The names are those of `AVAudioSession`.
  public struct Session: Sendable, Equatable {
    /// What the host does with audio.
    public var category = Category.multiRoute
    /// How it does it.
    public var mode = Mode.default
    /// How it gets along with others, one by one in the order of the file.
    public var options: [CategoryOptions] = []
    /// Hardware values asked for.
    public var preferred = Preferred()
    /// Whether preferred values are put back when another program changes them.
    public var enforcesPreferredValues = true
  }
}

extension GraphFile.Session {
  /// Hardware values asked for; nil leaves a value as it is.
  public struct Preferred: Sendable, Equatable {
    /// The I/O buffer length.
    public var ioBuffer: IOBuffer?
    /// The sample rate, 8,000…384,000 Hz.
    public var sampleRateHz: Int?
    /// Input channels, 1…768.
    public var inputChannels: Int?
    /// Output channels, 1…768.
    public var outputChannels: Int?
  }

  /// How long the I/O buffer shall be, the way the file says it.
  public enum IOBuffer: Sendable, Equatable {
    /// A duration, 100 µs…1 s; frames follow from the sample rate.
    case duration(Duration)
    /// Exactly so many frames, 16…8,192.
    case frames(Int)
  }
}
