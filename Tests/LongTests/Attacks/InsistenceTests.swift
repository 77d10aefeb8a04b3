// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import JACK
import Sessions
import Synchronization
import TestSupport
import Testing

@testable import EndToEndSupport

/// Programs that connect themselves in a loop to what they may not hear (PRM-4).
@Suite(.serialized, .timeLimit(.minutes(3)))
struct InsistenceTests {
  /// A thread that makes one connection again and again, as fast as the server answers.
  private final class Loop: Sendable {
    private let isOver = Atomic<Bool>(false)
    private let hasEnded = Atomic<Bool>(false)
    private let made = Atomic<Int>(0)

    init(_ connection: ClientConnection, _ source: String, to destination: String) {
      let thread = Thread { [self] in
        while !isOver.load(ordering: .relaxed) {
          let outcome = try? connection.connect(source, to: destination, awaiting: .nothing)
          if outcome == .connected { made.wrappingAdd(1, ordering: .relaxed) }
        }
        hasEnded.store(true, ordering: .relaxed)
      }
      thread.start()
    }

    /// How many connections it has made.
    var count: Int { made.load(ordering: .relaxed) }

    func stop() async throws {
      isOver.store(true, ordering: .relaxed)
      try await waitUntil("the loop has ended") { hasEnded.load(ordering: .relaxed) }
    }
  }

  @Test(.steppedServer())
  func `PRM-4 a program that reconnects in a loop raises an alarm, and stays cut`() async throws {
    let microphone = try await Microphone.guarded(permissions: "{default: denied}")
    let recorder = try microphone.recorder()
    let gate = "\(microphone.host.name)-mic:rec_1"
    try await microphone.waitUntilConnected(recorder, to: [gate])
    let loop = Loop(recorder.connection, Microphone.port, to: recorder.portNames[0])
    let alarm = try await microphone.host.waitForEvents(.alarm)[0]
    #expect(alarm.alarm?.app == Microphone.program)
    #expect(alarm.alarm?.rule == .prm1)
    #expect(alarm.alarm?.over == false)
    try await waitUntil("many attempts are counted") {
      let alarms = try await microphone.control.call(GetStatus.self).alarms
      return alarms.first?.attempts ?? 0 >= 100
    }
    let shown = try await Multiroute.run(
      "status",
      "--host",
      microphone.host.name,
      in: microphone.scratch,
    )
    #expect(shown.standardOutput.contains("ALARM: '\(Microphone.program)'"))
    #expect(microphone.host.child.standardOutput.contains("ALARM: '\(Microphone.program)'"))
    try await loop.stop()
    #expect(loop.count >= 100)
    // Each of them was cut, its gate stands, and none was made besides.
    try await microphone.waitUntilConnected(recorder, to: [gate])
    try await microphone.waitUntilHeard(false, by: recorder)
    #expect(try recorder.connection.ports(matching: "-mic:rec_").count == 2)
    #expect(microphone.host.events.count { $0.decision?.rule == .prm4 } == 1)

    try await microphone.permission("grant")
    try await microphone.waitUntilHeard(true, by: recorder)
    try await waitUntil("the alarm is over") {
      microphone.host.events.contains { $0.alarm?.over == true }
    }
    #expect(try await microphone.control.call(GetStatus.self).alarms.isEmpty)
    try await microphone.end(recorder)
  }

  @Test(.steppedServer())
  func
    `a stranger that connects itself in a loop to a permitted program's gate hears not one sample`()
    async throws
  {
    let microphone = try await Microphone.guarded(permissions: "{granted: [jack_rec]}")
    let permitted = try Child(
      "jack_rec",
      ["-f", "\(microphone.scratch.path)/permitted.wav", "-d", "60", "-b", "16", Microphone.port],
      environment: ["JACK_DEFAULT_SERVER": microphone.host.server],
      in: microphone.scratch,
    )
    let stranger = try Recorder(
      from: [nil],
      capacityFrames: 60 * 48_000,
      server: microphone.host.server,
      name: "stranger",
    )
    stranger.start()
    try await waitUntil("the permitted one records") {
      (try? stranger.connection.connections(ofPort: "jackrec:input1")) == [Microphone.port]
    }
    // With an answer of its own it has a gate.
    try await microphone.permission("deny", "jack_rec")
    let gate = "\(microphone.host.name)-mic:jackrec_1"
    try await waitUntil("it has a gate") {
      (try? stranger.connection.connections(ofPort: "jackrec:input1")) == [gate]
    }
    try await microphone.permission("grant", "jack_rec")
    let loop = Loop(stranger.connection, gate, to: stranger.portNames[0])
    try await waitUntil("the stranger has been cut a hundred times") {
      let alarms = try await microphone.control.call(GetStatus.self).alarms
      return alarms.first?.attempts ?? 0 >= 100
    }
    try await stranger.pass(9_600)
    try await loop.stop()
    let heard = stranger.captured.channels[0]
    #expect(heard.count >= 9_600)
    expectSilence(heard)
    permitted.send(SIGTERM)
    _ = try await permitted.waitForEnd()
    try await microphone.end(stranger)
  }

  @Test(.jackServer(frames: 256))
  func `a card behind a bridge is heard by the host's clients only, from the first cycle on`()
    async throws
  {
    let card = try await NoisyCard()
    defer { card.stop() }
    let scratch = card.scratch
    let graph = try scratch.write(
      """
      multiroute: 1
      permissions: {default: granted}
      session: {category: multiRoute}
      routes:
        main: {type: lineOut, ports: [system:playback_1]}
        desk: {type: lineIn, direction: input, device: {name: pipewire, channels: 2}}
      sources:
        voice: {input: desk}
      mix:
        - {from: voice, to: main}
      """,
      to: "desk.yaml",
    )
    let server = try testServer().name
    let host = try HostProcess(
      graph: graph,
      server: server,
      environment: card.environment,
      in: scratch,
    )
    _ = try await host.attached()
    let output = try Recorder(
      from: [host.port("main_out_1")],
      capacityFrames: 0,
      server: server,
      name: "output",
    )
    defer { output.close() }
    output.start()
    try await waitUntil("the card is heard at the host's output", within: .seconds(60)) {
      output.latest(1_024)[0].contains { $0 != 0 }
    }
    let answer = try await Multiroute.run(
      "permission",
      "deny",
      Microphone.program,
      "--host",
      host.name,
      in: scratch,
    )
    #expect(answer.end == .code(0))

    let control = try await host.control()
    try await expectStrangerHearsNothing(at: "\(host.name)-desk:capture_1", of: server, control)
    await control.close()
    _ = try await host.stop()
  }

  @Test
  func `nobody but the host's clients hears the captures of a server that the host starts`()
    async throws
  {
    let card = try await NoisyCard()
    defer { card.stop() }
    let server = Scratch.uniqueName("own")
    let graph = try card.scratch.write(
      """
      multiroute: 1
      server: {start: always, driver: alsa, device: pipewire, channels: {playback: 2}, synchronous: true}
      session: {category: multiRoute, preferred: {sampleRate: 48 kHz, ioBufferFrames: 256}}
      permissions: {default: granted}
      routes:
        main: {type: lineOut, ports: [system:playback_1]}
        desk: {type: lineIn, direction: input, ports: [system:capture_1]}
      sources:
        voice: {input: desk}
      mix:
        - {from: voice, to: main}
      """,
      to: "own.yaml",
    )
    let host = try HostProcess(
      graph: graph,
      server: server,
      environment: card.environment,
      in: card.scratch,
    )
    _ = try await host.attached()
    let output = try Recorder(
      from: [host.port("main_out_1")],
      capacityFrames: 60 * 48_000,
      server: server,
      name: "output",
    )
    defer { output.close() }
    output.start()
    try await waitUntil("the captures are heard at the host's output", within: .seconds(60)) {
      output.latest(1_024)[0].contains { $0 != 0 }
    }
    #expect(try output.connection.ports(matching: "^system:capture").isEmpty)
    let answer = try await Multiroute.run(
      "permission",
      "deny",
      Microphone.program,
      "--host",
      host.name,
      in: card.scratch,
    )
    #expect(answer.end == .code(0))
    let control = try await host.control()
    try await expectStrangerHearsNothing(
      at: "\(host.name)-captures:capture_1",
      of: server,
      control,
    )
    await control.close()
    _ = try await host.stop()
  }

  /// Connects a stranger in a loop to a capture port of a bridge until it has been cut a hundred times.
  private func expectStrangerHearsNothing(
    at port: String,
    of server: String,
    _ control: ControlClient,
  ) async throws {
    let stranger = try Recorder(
      from: [nil],
      capacityFrames: 60 * 48_000,
      server: server,
      name: "stranger",
    )
    defer { stranger.close() }
    stranger.start()
    let loop = Loop(stranger.connection, port, to: stranger.portNames[0])
    try await waitUntil("the stranger has been cut a hundred times", within: .seconds(60)) {
      try await control.call(GetStatus.self).alarms.first?.attempts ?? 0 >= 100
    }
    try await stranger.pass(48_000)
    try await loop.stop()
    expectSilence(stranger.captured.channels[0])
  }

  /// Not one sample: a synchronous server calls nobody behind a client that has missed a cycle.
  private func expectSilence(_ heard: [Float]) {
    let count = heard.count { $0 != 0 }
    #expect(count == 0, "\(count) of \(heard.count) samples were heard")
  }
}
