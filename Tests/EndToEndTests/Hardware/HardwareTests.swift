// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Glibc
import JACK
import Sessions
import TestSupport
import Testing

@testable import EndToEndSupport

/// Preferred values against actual ones, and servers that are not there.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct HardwareTests {
  private func graph(_ preferred: String, in scratch: Scratch) throws -> String {
    try scratch.write(
      """
      multiroute: 1
      session: {preferred: {\(preferred)}}
      server: {driver: dummy}
      routes: {main: {type: lineOut, ports: [system:playback_1]}}
      sources: {tone: {tone: {}}}
      mix: [{from: tone, to: main}]
      """,
      to: "hardware.yaml",
    )
  }

  @Test(.jackServer(frames: 256))
  func `5 ms at 48 kHz are 240 frames`() async throws {
    let scratch = try Scratch()
    let host = try HostProcess(
      graph: graph("ioBufferDuration: 5 ms, sampleRate: 48 kHz", in: scratch),
      server: testServer().name,
      in: scratch,
    )
    let hardware = try await host.attached().hardware
    #expect(hardware.ioBufferFrames.preferred == 240)
    #expect(hardware.ioBufferFrames.actual == 240)
    #expect(hardware.ioBufferDuration.preferred == 0.005)
    #expect(hardware.ioBufferDuration.actual == 0.005)
    #expect(hardware.sampleRate.preferred == 48_000)
    #expect(hardware.sampleRate.actual == 48_000)
    #expect(hardware.sampleRate.reason == "as preferred")
    // The server agrees.
    let client = try OpenedClient.open(name: "asker", server: testServer().name)
    #expect(try client.connection.bufferFrames == 240)
  }

  @Test(.jackServer(frames: 256), arguments: [false, true])
  func `HW-8 another program's server has its buffer again`(afterKill isKilled: Bool) async throws {
    let scratch = try Scratch()
    let host = try HostProcess(
      graph: graph("ioBufferFrames: 240", in: scratch),
      server: testServer().name,
      in: scratch,
    )
    _ = try await host.attached()
    let recorder = try Recorder(
      from: [nil],
      capacityFrames: 48_000,
      server: testServer().name,
      name: "asker",
    )
    #expect(try recorder.connection.bufferFrames == 240)
    if isKilled {
      // The guard has its orders some moments later, invisible from outside.
      try await recorder.pass(24_000)
      host.child.send(SIGKILL)
    } else {
      #expect(try await host.stop() == .code(0))
    }
    try await waitUntil("the buffer is given back") { try recorder.connection.bufferFrames == 256 }
    recorder.close()
  }

  @Test(.jackServer(frames: 256))
  func `HW-9 an app and the status name the same reason for a user's choice`() async throws {
    let scratch = try Scratch()
    let path = try scratch.write(
      """
      multiroute: 1
      session: {preferred: {ioBufferFrames: 256}, enforce: users}
      routes: {main: {type: lineOut, ports: [system:playback_1]}}
      sources: {}
      mix: []
      """,
      to: "users.yaml",
    )
    let host = try HostProcess(graph: path, server: testServer().name, in: scratch)
    _ = try await host.attached()
    let user = try OpenedClient.open(name: "user", server: testServer().name)
    try user.connection.setBufferFrames(512)
    try await waitUntil("it is the user's wish") {
      host.events.contains { $0.message.hasPrefix("a user set the I/O buffer") }
    }
    let client = try await host.control()
    var params = OpenSession.Params(app: "app")
    params.category = .playback
    params.preferredIOBufferSeconds = 64.0 / 48_000
    let session = try await client.call(OpenSession.self, params).session
    let told = try await client.call(ActivateSession.self, .init(session: session))
    let status = try await host.status().hardware.ioBufferDuration
    #expect(told.ioBufferDuration.reason == "a user set it with another program")
    #expect(told.ioBufferDuration.reason == status.reason)
    #expect(try user.connection.bufferFrames == 512)
    #expect(try await host.stop() == .code(0))
    #expect(try user.connection.bufferFrames == 512)
  }

  @Test(.jackServer(rate: 44_100, frames: 128))
  func `the rate of another program's server stays, and the reason is reported`() async throws {
    let scratch = try Scratch()
    let host = try HostProcess(
      graph: graph("ioBufferDuration: 5 ms, sampleRate: 48 kHz", in: scratch),
      server: testServer().name,
      in: scratch,
    )
    let status = try await host.attached()
    #expect(!status.server.owned)
    #expect(status.hardware.sampleRate.preferred == 48_000)
    #expect(status.hardware.sampleRate.actual == 44_100)
    let reason = try #require(status.hardware.sampleRate.reason)
    #expect(reason.contains("another program's server"))
    // The nearest whole number of frames at the rate that holds.
    #expect(status.hardware.ioBufferFrames.actual == 221)
  }

  @Test(.aloneWithJACK, arguments: [(44_100, 100), (96_000, 1000), (48_000, 17)])
  func `a server of the host's own starts as asked`(rate: Int, frames: Int) async throws {
    let scratch = try Scratch()
    let host = try HostProcess(
      graph: graph("sampleRate: 48 kHz", in: scratch),
      server: Scratch.uniqueName("server"),
      arguments: ["--rate", "\(rate)", "--frames", "\(frames)"],
      in: scratch,
    )
    let status = try await host.attached()
    #expect(status.server.owned)
    #expect(status.server.driver == "dummy")
    #expect(status.hardware.sampleRate.actual == Double(rate))
    #expect(status.hardware.ioBufferFrames.actual == Double(frames))
    #expect(try await host.stop() == .code(0))
    // Its server has gone with it.
    #expect(throws: JACKError.self) {
      _ = try OpenedClient.open(name: "asker", server: host.server)
    }
  }

  @Test(.aloneWithJACK)
  func `without a server that may be started, exit status and message say so`() async throws {
    let scratch = try Scratch()
    let server = Scratch.uniqueName("none")
    let output = try await Multiroute.run(
      ["run", graph("sampleRate: 48 kHz", in: scratch), "--server", server, "--no-start-server"],
      in: scratch,
    )
    #expect(output.end == .code(69))
    #expect(output.standardOutput.isEmpty)
    let lines = output.standardError.split(separator: "\n")
    #expect(lines.count == 1, "\(output.standardError)")
    #expect(output.standardError.hasPrefix("error: "))
    #expect(output.standardError.contains(server))
    #expect(output.standardError.contains("start"))
  }

  @Test
  func `a graph with faults is refused with their places`() async throws {
    let scratch = try Scratch()
    let path = try scratch.write(
      """
      multiroute: 1
      routes:
        main: {type: lineOut, port: [system:playback_1]}
      sources: {tone: {tone: {level: -6}}}
      """,
      to: "bad.yaml",
    )
    for command in ["run", "check"] {
      let output = try await Multiroute.run([command, path], in: scratch)
      #expect(output.end == .code(65))
      #expect(output.standardError.contains("\(path):3:25: error: "))
      #expect(output.standardError.contains("did you mean 'ports'?"))
      #expect(output.standardError.contains("\(path):4:32: error: "))
    }
  }
}
