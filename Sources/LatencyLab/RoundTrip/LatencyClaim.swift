// SPDX-License-Identifier: MIT

import JACK

/// The latency of a path as JACK's latency ranges claim it.
///
/// A plain value: [any-thread].
public struct LatencyClaim: Equatable, Sendable, Codable {
  /// The ranges that make up the claim.
  public enum Basis: String, Sendable, Codable {
    /// Playback latency of the destination plus capture latency of the source: the path leaves
    /// the graph through hardware.
    case hardwareLoop
    /// Latency between the ports within the graph, as their clients report it.
    case graphPath
  }

  /// The ranges that make up the claim.
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

extension LatencyClaim {
  /// Asks JACK for the latency from a port that is played to to a port that is captured from.
  ///
  /// Both being hardware's, the path leaves the graph. Otherwise it is the age that signals have
  /// at the source minus the age they have at the destination.
  init(
    from destination: String,
    to source: String,
    connection: ClientConnection,
  ) throws(JACKError) {
    let isPlayback = try connection.port(named: destination).isPhysical
    let isCapture = try connection.port(named: source).isPhysical
    let atSource = try connection.latencyRange(ofPort: source, .capture)
    if isPlayback && isCapture {
      let atDestination = try connection.latencyRange(ofPort: destination, .playback)
      self.init(
        basis: .hardwareLoop,
        minimumFrames: Int(atDestination.minFrames) + Int(atSource.minFrames),
        maximumFrames: Int(atDestination.maxFrames) + Int(atSource.maxFrames),
      )
    } else {
      let atDestination = try connection.latencyRange(ofPort: destination, .capture)
      let minimum = max(0, Int(atSource.minFrames) - Int(atDestination.minFrames))
      self.init(
        basis: .graphPath,
        minimumFrames: minimum,
        maximumFrames: max(minimum, Int(atSource.maxFrames) - Int(atDestination.maxFrames)),
      )
    }
  }

  /// JACK's claim for the path from playback to capture hardware.
  ///
  /// - Returns: The claim; nil without hardware in both directions.
  static func system(_ connection: ClientConnection) throws(JACKError) -> LatencyClaim? {
    let outputs = try connection.ports(kind: AudioKind.self, flags: [.input, .physical])
    let inputs = try connection.ports(kind: AudioKind.self, flags: [.output, .physical])
    guard let output = outputs.first, let input = inputs.first else { return nil }
    return try LatencyClaim(from: output.name, to: input.name, connection: connection)
  }
}

extension BenchRecord.Configuration {
  /// The circumstances on a running server.
  init(of connection: ClientConnection) throws(JACKError) {
    self.init(
      sampleRateHz: Double(try connection.sampleRateHz),
      bufferFrames: Int(try connection.bufferFrames),
      isSynchronous: ServerIdentity.find(name: connection.server).isSynchronous,
    )
  }
}

/// The named difference between a measured delay and what JACK claims.
///
/// A plain value: [any-thread].
public enum LatencyDiscrepancy: Equatable, Sendable, CustomStringConvertible {
  /// The measured delay lies within the claimed range (half a frame allowed).
  case agrees
  /// The path is later than claimed by so many frames.
  case unreported(frames: Double)
  /// The path is earlier than claimed by so many frames.
  case overreported(frames: Double)
  /// The path is later than claimed by whole periods: a loop in the graph or a server that is not
  /// synchronous.
  case unreportedPeriods(count: Int)

  /// Names the difference.
  ///
  /// - Parameters:
  ///   - measuredFrames: The delay measured.
  ///   - claim: The latency that JACK claims.
  ///   - bufferFrames: The period.
  public init(measuredFrames: Double, claim: LatencyClaim, bufferFrames: Int) {
    let above = measuredFrames - Double(claim.maximumFrames)
    let below = Double(claim.minimumFrames) - measuredFrames
    if below > Self.toleranceFrames {
      self = .overreported(frames: below)
    } else if above > Self.toleranceFrames {
      let periods = bufferFrames > 0 ? (above / Double(bufferFrames)).rounded() : 0
      let isWhole = abs(above - periods * Double(bufferFrames)) <= Self.toleranceFrames
      self =
        periods >= 1 && isWhole
        ? .unreportedPeriods(count: Int(periods)) : .unreported(frames: above)
    } else {
      self = .agrees
    }
  }

  /// The difference as text.
  public var description: String {
    switch self {
    case .agrees:
      "agrees with JACK's latency range"
    case .unreported(let frames):
      "\(ReportColumn.text(frames, decimals: 2)) frames later than JACK's latency range: a client "
        + "or the hardware does not report them"
    case .overreported(let frames):
      "\(ReportColumn.text(frames, decimals: 2)) frames earlier than JACK's latency range: a "
        + "client or the driver reports too much"
    case .unreportedPeriods(let count):
      "\(count) \(count == 1 ? "period" : "periods") later than JACK's latency range: a loop in "
        + "the graph, or a server that is not synchronous"
    }
  }

  /// Ranges are whole frames, delays are not.
  private static let toleranceFrames = 0.5
}
