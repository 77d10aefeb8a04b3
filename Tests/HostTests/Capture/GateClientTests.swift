// SPDX-License-Identifier: MIT

import JACK
import TestSupport
import Testing

@testable import Host

/// The client with the capture gates, on a real server.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct GateClientTests {
  @Test(.jackServer(frames: 64))
  func `a gate that comes while one of its client's name is leaving has ports of its own`() throws {
    let gates = try GateClient(name: "mic", server: testServer().name, sampleRateHz: 48_000)
    defer { gates.close() }
    let first = try gates.add(client: "rec", source: "system:capture_1")
    gates.remove(clients: ["rec"])
    // Its ports leave when the host collects what the audio thread no longer uses.
    let second = try gates.add(client: "rec", source: "system:capture_1")
    #expect(second.output != first.output && second.input != first.input)
    #expect(gates.gates.map(\.id) == [second.id])
    try gates.connect("system:capture_1", to: second.input)
  }
}
