// SPDX-License-Identifier: MIT

extension GraphFile {
  /// A crossfader between two groups of sources.
  public struct Crossfader: Sendable, Equatable {
    /// The names of the sources heard at position −1.
    public var a: [String]
    /// The names of the sources heard at position 1.
    public var b: [String]
    /// How the two sides fade.
    public var curve = Curve.equalPower
    /// Where it starts, −1…1.
    public var position = 0.0
  }

  /// A cue bus: chosen sources heard on one route before their faders.
  public struct Cue: Sendable, Equatable {
    /// The name of the output route it is heard on.
    public var route: String
    /// The gain of the bus in dB, −∞…24.
    public var gainDB = 0.0
    /// The names of the sources that start cued.
    public var sources: [String] = []
  }
}

extension GraphFile.Crossfader {
  /// How a crossfader fades; the raw value is the name in the file.
  public enum Curve: String, Sendable, CaseIterable {
    /// The same power everywhere, −3 dB in the middle.
    case equalPower
    /// The same amplitude everywhere, −6 dB in the middle.
    case linear
    /// Both sides full but at the very ends.
    case cut
  }
}
