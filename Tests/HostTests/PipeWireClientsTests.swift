// SPDX-License-Identifier: MIT

import Glibc
import JACK
import SystemSupport
import TestSupport
import Testing

@testable import Host

/// The processes of the JACK clients of a real PipeWire.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct PipeWireClientsTests {
  @Test func `PipeWire reports the process of a JACK client`() async throws {
    let pipeWire = try await PipeWireSession()
    defer { pipeWire.stop() }
    let metronome = try ChildProcess.start(
      "pw-jack",
      ["jack_metro", "--bpm", "60", "--name", "a metronome"],
      environment: pipeWire.environment,
      bond: .bound,
    )
    defer {
      metronome.send(SIGKILL)
      #expect(metronome.waitForExit(within: .seconds(20)))
    }
    try await waitUntil("the metronome is there") {
      try pipeWire.jack("jack_lsp").contains("a metronome:")
    }
    let clients = PipeWireClients(environment: pipeWire.environment)
    let found = await clients.process(ofClient: "a metronome")
    // pw-jack becomes the program that it runs.
    #expect(found?.pid == metronome.pid)
    #expect(found?.program == "jack_metro")
    #expect(await clients.process(ofClient: "nobody") == nil)
  }
}
