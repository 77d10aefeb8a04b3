// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import JACK
import SystemSupport
import TestSupport
import Testing

@testable import EndToEndSupport

/// A server that is killed or stopped, and comes back otherwise.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct RecoveryTests {
  @Test(.aloneWithJACK)
  func `somebody else's server is waited for, and comes back at another rate and size`()
    async throws
  {
    let scratch = try Scratch()
    let name = Scratch.uniqueName("server")
    func configuration(_ rate: UInt32, _ frames: UInt32) -> ServerConfiguration {
      ServerConfiguration(
        name: name,
        driver: .dummy,
        sampleRateHz: rate,
        periodFrames: frames,
        captureChannels: 2,
        playbackChannels: 2,
      )
    }
    let server = ServerProcess(configuration(48_000, 64))
    try await server.start()
    let host = try await HostProcess.running(
      graph: RecoveryStage.graph("{start: never}", in: scratch),
      server: name,
      in: scratch,
    )
    let control = try await host.control()
    _ = try await control.call(
      SetGain.self,
      SetGain.Params(target: .strip("deck"), gainDB: -6, rampMilliseconds: nil),
    )
    let rounds: [(UInt32, UInt32)] = [(48_000, 64), (44_100, 64), (96_000, 100), (48_000, 1024)]
    for (round, (rate, frames)) in rounds.enumerated() {
      var app: Player? = try Player([RecoveryStage.file], server: name, name: "app-\(round)")
      try await RecoveryStage.waitForConnection(host, "app-\(round):out_1", host.port("app_in_1"))
      app?.close()
      app = nil
      if round.isMultiple(of: 2) {
        let pid = try #require(server.pid)
        kill(pid, SIGKILL)
        try await waitUntil("the server is reaped") { !server.isRunning }
      } else {
        await server.stop()
      }
      let attachments = host.attachments
      _ = try await host.waitForEvents(.serverLost, count: attachments)
      try await server.restart(with: configuration(rate, frames))
      let status = try await host.attached(after: attachments) {
        $0.hardware.sampleRate.actual == Double(rate)
      }
      #expect(status.host.name == host.name)
      #expect(!status.server.owned)
      #expect(status.hardware.ioBufferFrames.actual == Double(frames))
      #expect(status.strips.first?.gainDB == -6)
      try RecoveryStage.expectConnections(of: host, to: ["system:playback_1"])
      // The file is read anew at the other rate, which takes a busy machine some moments.
      try await waitUntil("the deck sounds again") {
        Signals.rmsDB(try await RecoveryStage.record(host, frames: Int(rate) / 4)) > -30
      }
    }
    #expect(try await host.stop() == .code(0))
    await server.stop()
  }
  @Test(.aloneWithJACK)
  func `a killed host leaves its server to its guard and to the next host, which ends it in order`()
    async throws
  {
    let scratch = try Scratch()
    let name = Scratch.uniqueName("server")
    let graph = try scratch.write(
      """
      multiroute: 1
      session: {category: multiRoute, options: [mixWithOthers]}
      server: {driver: dummy, channels: {playback: 2}}
      permissions: {default: granted}
      routes: {main: {type: lineOut, ports: [system:playback_1]}}
      sources: {}
      mix: []
      adopt: [{client: app, session: {preset: musicMaking}}]
      """,
      to: "own-server.yaml",
    )
    let first = try await HostProcess.running(graph: graph, server: name, in: scratch)
    let server = try #require(try await first.status().server.pid)
    defer { kill(server, SIGKILL) }
    let app = try Player([RecoveryStage.file], loops: true, server: name, name: "app")
    try app.connection.connect("app:out_1", to: "system:playback_1")
    app.start()
    try await RecoveryStage.waitForConnection(first, "app:out_1", first.port("app_in_1"))
    try await waitUntil("there is a guard") { Guards.processes(of: first.name).count == 1 }
    // The guard has its orders some moments later, invisible from outside: wall time, as it reads them.
    try await Task.sleep(for: .milliseconds(300))
    first.child.send(SIGKILL)
    try await waitUntil("the guard has patched it to the hardware") {
      try app.connection.connections(ofPort: "app:out_1") == ["system:playback_1"]
    }
    // A second kill finds a server that the host has not started itself.
    let second = try await HostProcess.running(
      graph: graph,
      server: name,
      name: first.name,
      in: scratch,
    )
    second.child.send(SIGKILL)
    _ = try await second.child.waitForEnd()
    let other = try await HostProcess.running(graph: graph, server: name, in: scratch)
    let status = try await other.status().server
    #expect(status.pid == server && status.owned)
    // A host beside the owner does not end its server.
    let guest = try await HostProcess.running(graph: graph, server: name, in: scratch)
    #expect(try await !guest.status().server.owned)
    #expect(try await guest.stop() == .code(0))
    #expect(Machine.this.state(of: server) == .runs)
    app.close()
    #expect(try await other.stop() == .code(0))
    try await waitUntil("the server has ended") { Machine.this.state(of: server) == .ended }
  }
}
