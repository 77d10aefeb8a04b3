// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import Glibc
import TestSupport
import Testing

@testable import EndToEndSupport

/// The same graph on PipeWire's libjack.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct PipeWireTests {
  @Test(.aloneWithJACK)
  func `two routes play on PipeWire, whose rate and quantum are asked for and given back`()
    async throws
  {
    let pipeWire = try await PipeWireSession(channels: 4)
    defer { pipeWire.stop() }
    #expect(try Self.setting("clock.force-rate", of: pipeWire) == "0")
    #expect(try Self.setting("clock.force-quantum", of: pipeWire) == "0")

    let scratch = try Scratch()
    let host = try Self.host(
      Repository.path("graphs/dj-split.yaml"),
      on: pipeWire,
      ["--rate", "44100", "--frames", "128"],
      in: scratch,
    )
    let status = try await host.attached()
    #expect(!status.server.owned)
    #expect(status.server.driver == "pipewire")
    #expect(status.hardware.sampleRate.reason?.contains("clock.force-rate") == true)
    #expect(status.hardware.sampleRate.actual == 44_100)
    #expect(status.hardware.ioBufferFrames.actual == 128)
    #expect(status.routes.map(\.available) == [true, true])
    #expect(try Self.setting("clock.force-rate", of: pipeWire) == "44100")
    #expect(try Self.setting("clock.force-quantum", of: pipeWire) == "128")

    // A recorder of PipeWire's own libjack hears both routes.
    let file = "\(scratch.path)/recorded.wav"
    try pipeWire.jack(
      "jack_rec",
      "-f",
      file,
      "-d",
      "3",
      "-b",
      "24",
      host.port("main_out_1"),
      host.port("headphones_out_1"),
    )
    let recorded = try Signals.read(file)
    #expect(recorded.count == 2)
    for channel in recorded { #expect(Signals.rmsDB(channel) > -50) }
    #expect(recorded[0] != recorded[1])

    #expect(try await host.stop() == .code(0))
    #expect(try Self.setting("clock.force-rate", of: pipeWire) == "0")
    #expect(try Self.setting("clock.force-quantum", of: pipeWire) == "0")
  }

  @Test(.aloneWithJACK)
  func `HW-8 forced values do not outlive a killed host, and only a real change is put back`()
    async throws
  {
    let pipeWire = try await PipeWireSession(channels: 4)
    defer { pipeWire.stop() }
    let scratch = try Scratch()
    let graph = try scratch.write(
      """
      multiroute: 1
      session: {category: multiRoute, preferred: {ioBufferFrames: 128, sampleRate: 44.1 kHz}}
      routes:
        main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
      sources:
        tone: {tone: {frequency: 480 Hz, level: -6 dB}}
      mix:
        - {from: tone, to: main}
      """,
      to: "forced.yaml",
    )
    let host = try Self.host(graph, on: pipeWire, in: scratch)
    let status = try await host.attached()
    #expect(status.hardware.ioBufferFrames.actual == 128)
    try pipeWire.session.run(["pw-metadata", "-n", "settings", "0", "clock.force-quantum", "512"])
    try await waitUntil("the buffer is put back") {
      host.events.contains { $0.message.contains("put back to 128 frames") }
    }
    #expect(try Self.setting("clock.force-quantum", of: pipeWire) == "128")
    // The guard has its orders some moments later, invisible from outside: a second of audio passes.
    try pipeWire.jack("jack_rec", "-f", "\(scratch.path)/a", "-d", "1", "system:capture_1")
    host.child.send(SIGKILL)
    try await waitUntil("the guard gives both back") {
      try Self.setting("clock.force-rate", of: pipeWire) == "0"
        && Self.setting("clock.force-quantum", of: pipeWire) == "512"
    }
  }

  @Test(.aloneWithJACK)
  func `where PipeWire owns the cards a bridge is not run, and its ports are offered instead`()
    async throws
  {
    let pipeWire = try await PipeWireSession(channels: 4)
    defer { pipeWire.stop() }
    let scratch = try Scratch()
    let graph = try scratch.write(
      """
      multiroute: 1
      session: {category: multiRoute}
      routes:
        main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
        second: {type: headphones, device: "hw:1", fallback: main}
      sources:
        tone: {tone: {frequency: 480 Hz, level: -6 dB}}
      mix:
        - {from: tone, to: second}
      """,
      to: "cards.yaml",
    )
    let host = try Self.host(graph, on: pipeWire, in: scratch)
    let status = try await host.attached()
    let helper = try #require(status.routes[1].helper)
    #expect(helper.state == .off && helper.pid == nil)
    #expect(helper.reason?.contains("PipeWire drives the cards: no bridge is needed") == true)
    // Its fallback is a sink of PipeWire, and is heard there.
    #expect(status.routes[1].fallback == "main")
    let file = "\(scratch.path)/heard.wav"
    try pipeWire.jack(
      "jack_rec",
      "-f",
      file,
      "-d",
      "1",
      "-b",
      "24",
      "system:capture_1",
      "system:capture_2",
    )
    for channel in try Signals.read(file) { #expect(abs(Signals.rmsDB(channel) + 9) < 2) }
    let devices = try pipeWire.jack(Multiroute.path(), "devices", graph)
    #expect(devices.contains("PipeWire"))
    #expect(devices.contains("system:playback_1"))
    #expect(devices.contains("route 'main'"))
    #expect(try await host.stop() == .code(0))
  }

  /// Starts a host under PipeWire's libjack.
  private static func host(
    _ graph: String,
    on pipeWire: PipeWireSession,
    _ arguments: [String] = [],
    in scratch: Scratch,
  ) throws -> HostProcess {
    try HostProcess(
      graph: graph,
      server: "default",
      arguments: arguments + ["--no-start-server"],
      under: ["pw-jack"],
      // Its run-time directory is PipeWire's, and the socket of the host is there, too.
      environment: pipeWire.environment,
      in: scratch,
    )
  }

  private static func setting(_ key: String, of pipeWire: PipeWireSession) throws -> String {
    let output = try pipeWire.session.run(["pw-metadata", "-n", "settings", "0", key])
    return output.split(separator: "'").dropFirst(3).first.map(String.init) ?? ""
  }
}
