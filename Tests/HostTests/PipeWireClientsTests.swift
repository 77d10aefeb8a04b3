// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import JACK
import TestSupport
import Testing

@testable import Host

/// Whose the JACK clients of a real PipeWire are.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct PipeWireClientsTests {
  @Test func `PipeWire tells the process of a JACK client`() async throws {
    let pipeWire = try await PipeWireSession()
    defer { pipeWire.stop() }
    let metronome = Process()
    metronome.executableURL = URL(filePath: "/usr/bin/pw-jack")
    metronome.arguments = ["jack_metro", "--bpm", "60", "--name", "a metronome"]
    metronome.environment = ProcessInfo.processInfo.environment
      .merging(pipeWire.environment) { $1 }
    metronome.standardOutput = FileHandle.nullDevice
    metronome.standardError = FileHandle.nullDevice
    try metronome.run()
    defer {
      kill(metronome.processIdentifier, SIGKILL)
      metronome.waitUntilExit()
    }
    try await waitUntil("the metronome is there") {
      try pipeWire.jack("jack_lsp").contains("a metronome:")
    }
    let clients = PipeWireClients(environment: pipeWire.environment)
    let found = await clients.process(ofClient: "a metronome")
    // pw-jack becomes the program that it runs.
    #expect(found?.pid == metronome.processIdentifier)
    #expect(found?.program == "jack_metro")
    #expect(await clients.process(ofClient: "nobody") == nil)
  }
}
