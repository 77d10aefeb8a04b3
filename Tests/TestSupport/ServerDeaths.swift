// SPDX-License-Identifier: MIT

internal import JACK
internal import Testing

/// Kills the test's server again and again, and expects that two clients of this process come back to the next one each time.
///
/// The rate alternates between 44,100 and 48,000 Hz, and each third server has shorter periods.
///
/// - Parameter rounds: How often.
/// - Throws: ``TestFailure`` or `JACKError` where one of them does not come back.
public func expectRecovery(rounds: Int) async throws {
  let server = try testServer()
  for round in 1...rounds {
    let tone = (1...512).map { Float($0 + round) }
    let player = try Player([tone], server: server.name, name: "host")
    let recorder = try Recorder(
      from: player.portNames,
      capacityFrames: 2048,
      server: server.name,
      name: "second",
    )
    #expect(!player.connection.wasRenamed && !recorder.connection.wasRenamed)
    recorder.start()
    player.start()
    let heard = try await recorder.finish().channels[0]
    #expect(heard.contains(tone[0]) && heard.contains(tone[511]), "round \(round)")
    try await server.kill()
    try await waitUntil("both clients know") {
      player.connection.isServerGone && recorder.connection.isServerGone
    }
    // With clients of the dead server still open, a new one is refused, not broken.
    let error = #expect(throws: JACKError.self) {
      _ = try OpenedClient.open(name: "early", server: server.name)
    }
    #expect(error?.code == .otherServerInUse)
    player.close()
    recorder.close()
    var configuration = server.process.configuration
    configuration.sampleRateHz = round.isMultiple(of: 2) ? 48_000 : 44_100
    configuration.periodFrames = round.isMultiple(of: 3) ? 128 : 256
    try await server.process.restart(with: configuration)
  }
}
