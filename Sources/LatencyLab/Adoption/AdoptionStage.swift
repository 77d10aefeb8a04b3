// SPDX-License-Identifier: MIT

import JACK

/// A dummy server with recording loudspeakers and a host that adopts the clients of one rule: the set-up of the
/// benchmarks of adoption.
///
/// Pure value: [any-thread].
struct AdoptionStage: Sendable {
  /// The name of the host, and of the server but for a number.
  var name: String
  /// The path of the `multiroute` program that is measured.
  var program: String
  /// The server's sample rate in Hz.
  var sampleRateHz: Int
  /// The server's period in frames.
  var bufferFrames: Int
  /// The number of loudspeakers, each with a port `speaker:in_N`.
  var speakers: Int
  /// The longest recording in seconds.
  var longestSeconds: Int
  /// The rule for the clients that are adopted, as a graph file has it; all others are left alone.
  var rule: String

  /// The hardware of the records.
  var configuration: BenchRecord.Configuration {
    BenchRecord.Configuration(
      sampleRateHz: Double(sampleRateHz),
      bufferFrames: bufferFrames,
      isSynchronous: true,
    )
  }

  /// Starts the server, the loudspeakers and the host, runs a measurement, and ends them.
  ///
  /// - Parameter measure: The measurement, with the server's name.
  /// - Returns: Its result.
  /// - Throws: ``LabError`` `jack`, `host`, `tool` or `cancelled`, and the errors of the measurement.
  ///
  /// [control-thread]
  func run<Result: Sendable>(
    _ measure: (
      _ speaker: Speaker,
      _ host: BenchHost,
      _ server: String,
    ) async throws(LabError) -> Result
  ) async throws(LabError) -> Result {
    let server = OwnServer.configuration(
      name,
      sampleRateHz: sampleRateHz,
      periodFrames: bufferFrames,
    )
    return try await OwnServer.run(server) { server async throws(LabError) in
      let server = server.configuration.name
      let speaker = try Speaker(
        ports: speakers,
        capacityFrames: longestSeconds * sampleRateHz,
        name: "speaker",
        server: server,
      )
      defer { speaker.close() }
      let host = try await BenchHost(program: program, graph: graph, name: name, server: server)
      defer { host.stop() }
      return try await measure(speaker, host, server)
    }
  }

  /// Every session may play.
  private var graph: String {
    let ports = (1...speakers).map { "\"speaker:in_\($0)\"" }.joined(separator: ", ")
    return """
      multiroute: 1
      session: {category: multiRoute, options: [mixWithOthers]}
      server: {start: never}
      routes:
        main: {type: lineOut, ports: [\(ports)]}
      adopt:
        - \(rule)
        - {client: /.*/, leave: true}

      """
  }
}
