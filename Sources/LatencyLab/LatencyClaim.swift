// SPDX-License-Identifier: MIT

/// What JACK's latency ranges claim for a path.
public struct LatencyClaim: Equatable, Sendable, Codable {
  /// How the claim is made up.
  public enum Basis: String, Sendable, Codable {
    /// Playback latency of the destination plus capture latency of the source: the path leaves
    /// the graph through hardware.
    case hardwareLoop
    /// Latency between the ports within the graph, as their clients report it.
    case graphPath
  }

  /// How the claim is made up.
  public var basis: Basis
  /// Least latency in frames.
  public var minimumFrames: Int
  /// Most latency in frames.
  public var maximumFrames: Int

  /// Describes a claim.
  public init(basis: Basis, minimumFrames: Int, maximumFrames: Int) {
    self.basis = basis
    self.minimumFrames = minimumFrames
    self.maximumFrames = maximumFrames
  }
}
