// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// An export: JACK runs as fast as its clients, and what plays and records is whole.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct FreewheelTests {
  private static let noise = Signals.noise(70_000, seed: 21)
  private static let seconds = 20

  @Test(.jackServer(frames: 256))
  func `an export has every frame of files and recordings, and programs patched meanwhile`()
    async throws
  {
    let scratch = try Scratch()
    let server = try testServer().name
    try scratch.write([Self.noise], to: "noise.flac", format: .flacPCM16)
    let graph = try scratch.write(
      """
      multiroute: 1
      session: {category: multiRoute, options: [mixWithOthers]}
      server: {start: never}
      permissions: {default: granted}
      routes:
        main: {type: lineOut, ports: [system:playback_1]}
        phones: {type: headphones, ports: [system:playback_2]}
      sources: {deck: {file: noise.flac, loop: true}}
      mix: [{from: deck, to: main}]
      recorders: {set: {from: main, file: set.wav}}
      adopt: [{client: app, session: {preset: musicMaking}, routes: [phones]}]
      """,
      to: "export.yaml",
    )
    let host = try await HostProcess.running(graph: graph, server: server, in: scratch)
    let recorder = try Recorder(
      from: [host.port("main_out_1"), host.port("phones_out_1")],
      capacityFrames: (Self.seconds + 3) * 48_000,
      server: server,
    )
    let user = try OpenedClient.open(name: "user", server: server).activate()
    recorder.start()
    try await waitUntil("half a second is recorded") { recorder.capturedFrames > 24_000 }
    let app = try Player([Self.noise], loops: true, server: server, name: "app")
    app.start()
    try await waitUntil("it has its strip") {
      try app.connection.connections(ofPort: "app:out_1") == [host.port("app_in_1")]
    }
    try user.connection.setFreewheel(true)
    try app.connection.disconnect("app:out_1", from: host.port("app_in_1"))
    try app.connection.connect("app:out_1", to: "system:playback_2")
    try await waitUntil("the export has flown by") {
      recorder.capturedFrames > Self.seconds * 48_000
    }
    try user.connection.setFreewheel(false)
    _ = try await host.waitForEvents(.hardwareChanged, count: 2)
    let control = try await host.control()
    let heard = try await recorder.finish().channels[0]
    let recording = try await control.call(StopRecording.self, .init(recorder: "set"))
    await control.close()
    let match = try #require(Signals.longestMatch(of: heard, from: 0, inLoop: Self.noise))
    #expect(match.frames == heard.count)
    #expect(recording.framesLost == 0)
    // It records from the host's start on, the deck plays some cycles later.
    let written = Array(try Signals.read(recording.files[0])[0].drop { $0 == 0 })
    #expect(written.count > Self.seconds * 48_000)
    let whole = try #require(Signals.longestMatch(of: written, from: 0, inLoop: Self.noise))
    #expect(whole.frames == written.count)

    try await waitUntil("the program is on its strip") {
      try app.connection.connections(ofPort: "app:out_1") == [host.port("app_in_1")]
    }
    let after = try Recorder(
      from: [host.port("phones_out_1")],
      capacityFrames: 24_000,
      server: server,
    )
    try await waitUntil("the program is heard") {
      after.start()
      return try await Signals.rmsDB(after.finish().channels[0]) > -30
    }
    app.close()

    // jackd loses the ports of a program that comes meanwhile, keeps their names, and ends when somebody connects them.
    try user.connection.setFreewheel(true)
    let late = try Player([Self.noise], loops: true, server: server, name: "app")
    late.start()
    try await after.pass(48_000)
    try user.connection.setFreewheel(false)
    _ = try await host.waitForEvents(.hardwareChanged, count: 4)
    try await waitUntil("the host says that it is lost") {
      host.events.contains { $0.message.contains("JACK has lost it") }
    }
    late.close()
    #expect(try await host.stop() == .code(0))
  }
}
