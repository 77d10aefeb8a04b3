// SPDX-License-Identifier: MIT

extension GraphFile {
  /// A source, one entry of `sources`; it becomes one strip.
  public struct Source: Sendable, Equatable {
    /// The name for other sections and programs.
    public var name: String
    /// Its name in an older version of the graph, if that was another one.
    public var was: String?
    /// The origin of the audio.
    public var kind: Kind
    /// The number of channels; nil for a file that has not been opened yet.
    public var channels: Int?
    /// The gain of the strip's fader in dB, −∞…24.
    public var gainDB = 0.0
    /// Whether the strip starts muted.
    public var isMuted = false
    /// The pan of the strip, left −1…1 right, equal power; nil leaves both sides alone.
    public var pan: Double?
    /// The place at which displays show the strip's level.
    public var meterTap = MeterTap.post
    /// A name for people.
    public var label: String?
    /// The colour on displays.
    public var color: GraphColor?
    /// The source's own session; nil makes it part of the host's session.
    public var session: AppSession?
    /// The inserts between the source and its strip, in the order of the signal.
    public var inserts: [NodeUse] = []
    /// The share of the inserts in the sound, 0…1; the rest is the sound without inserts.
    public var wet = 1.0

    /// Whether it is a file that starts at the position at which the host ended.
    public var resumes: Bool {
      guard case .file(let file) = kind else { return false }
      return file.isResuming
    }
  }
}

extension GraphFile.Source {
  /// The origin of a source's audio.
  public enum Kind: Sendable, Equatable {
    /// An audio file.
    case file(File)
    /// A test tone.
    case tone(Tone)
    /// The hardware-side ports of the input route of this name.
    case inputRoute(String)
    /// The server's physical capture ports, in order, as many as the source has channels.
    case systemInput
    /// Output ports of other JACK clients, one entry per channel.
    case ports([PortSelector])
    /// A node.
    case node(GraphFile.NodeUse)
  }

  /// An audio file.
  public struct File: Sendable, Equatable {
    /// The path as written in the graph file.
    public var path: String
    /// The path to open: `path`, from the graph file's folder if it was relative.
    public var resolvedPath: String
    /// Whether it starts again at the end.
    public var isLooping = false
    /// The first start position, 0…24 h into the file.
    public var startOffset = Duration.zero
    /// Whether it starts at the position at which the host ended.
    public var isResuming = false
  }

  /// A test tone.
  public struct Tone: Sendable, Equatable {
    /// The shape of the tone.
    public var wave = Wave.sine
    /// Hz of the sine or clicks per second, 0.1…96,000; without meaning for noise.
    public var frequencyHz = 440.0
    /// Peak level in dBFS, −∞…0.
    public var levelDB = -20.0
  }

  /// The shape of a test tone; the raw value is the name in the file.
  public enum Wave: String, Sendable, CaseIterable {
    /// A pure tone.
    case sine
    /// Noise with the same power in each octave.
    case pinkNoise
    /// One-sample impulses.
    case click
  }
}
