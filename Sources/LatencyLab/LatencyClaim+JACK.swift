// SPDX-License-Identifier: MIT

import JACK

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

  /// What JACK claims for the way out of and into the hardware: the most of all its ports.
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
