// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import JACK
import TestSupport
import Testing

/// Servers that are killed, and come back as they were or otherwise.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct RecoveryTests {
  private static let file = Signals.noise(48_000, seed: 11)

  private func graph(_ server: String, in scratch: Scratch) throws -> String {
    try scratch.write([Self.file], to: "noise.wav", format: .wavPCM16)
    return try scratch.write(
      """
      multiroute: 1
      server: \(server)
      routes: {main: {type: lineOut, ports: [system:playback_1]}}
      sources: {deck: {file: noise.wav, loop: true}, app: {ports: ["/app-.*:out_1/"]}}
      mix: [{from: deck, to: main}, {from: app, to: main}]
      """,
      to: "recovery.yaml",
    )
  }

  @Test(.aloneWithJACK)
  func `a server of the host's own, killed 100 times, is back within a second each time`()
    async throws
  {
    let scratch = try Scratch()
    let host = try await HostProcess.running(
      graph: graph("{driver: dummy, channels: {playback: 2}}", in: scratch),
      server: Scratch.uniqueName("server"),
      arguments: ["--frames", "64", "--rate", "48000"],
      in: scratch,
    )
    let control = try await host.control()
    _ = try await control.call(
      SetGain.self,
      SetGain.Params(target: .strip("deck"), gainDB: -6, rampMilliseconds: nil),
    )
    // A connection made by hand, which has to come back each time.
    try Self.connectByHand(host, host.port("main_out_1"), "system:playback_2")
    try await Self.waitForConnection(host, host.port("main_out_1"), "system:playback_2")

    var milliseconds: [Double] = []
    var last = try await control.call(GetStatus.self)
    for _ in 1...100 {
      let pid = try #require(last.server.pid)
      let count = host.attachments
      kill(pid, SIGKILL)
      last = try await host.attached(after: count) { $0.server.pid != pid }
      let back = try await host.waitForEvents(.serverBack, count: count)
      guard let attaching = back.last?.serverBack?.attachMilliseconds else {
        throw TestFailure("no time in \(back)")
      }
      milliseconds.append(attaching)
      #expect(last.host.name == host.name)
      #expect(last.strips.first?.gainDB == -6)
      #expect(last.routes.first?.available == true)
      #expect(last.hardware.ioBufferFrames.actual == 64)
    }
    #expect(milliseconds.allSatisfy { $0 < 1_000 }, "\(milliseconds)")
    #expect(try await control.call(GetStatus.self).server.restarts >= 100)

    // After all that: the same connections, the same level, and the file goes on.
    try Self.expectConnections(of: host, to: ["system:playback_1", "system:playback_2"])
    let recording = try await Self.record(host, frames: 24_000)
    let half = pow(10, -6.0 / 20)
    let expected = Signals.rmsDB(Self.file.map { Float(Double($0) * half) })
    #expect(abs(Signals.rmsDB(recording) - expected) < 0.1)
    #expect(try await host.stop() == .code(0))
  }

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
      graph: graph("{start: never}", in: scratch),
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
      var app: Player? = try Player([Self.file], server: name, name: "app-\(round)")
      try await Self.waitForConnection(host, "app-\(round):out_1", host.port("app_in_1"))
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
      let answered = ContinuousClock.now
      let status = try await host.attached(after: attachments) {
        $0.hardware.sampleRate.actual == Double(rate)
      }
      #expect(ContinuousClock.now - answered < .seconds(1))
      #expect(status.host.name == host.name)
      #expect(!status.server.owned)
      #expect(status.hardware.ioBufferFrames.actual == Double(frames))
      #expect(status.strips.first?.gainDB == -6)
      try Self.expectConnections(of: host, to: ["system:playback_1"])
      // The file is read anew at the other rate, which takes a busy machine some moments.
      try await waitUntil("the deck sounds again") {
        Signals.rmsDB(try await Self.record(host, frames: Int(rate) / 4)) > -30
      }
    }
    #expect(try await host.stop() == .code(0))
    await server.stop()
  }

  // MARK: - Looking from outside

  private static func connectByHand(_ host: HostProcess, _ from: String, _ to: String) throws {
    let user = try OpenedClient.open(name: "user", server: host.server).activate()
    try user.connection.connect(from, to: to)
  }

  /// Waits until the host itself knows of a connection, as an independent client sees it.
  private static func waitForConnection(
    _ host: HostProcess,
    _ from: String,
    _ to: String,
  ) async throws {
    let watcher = try OpenedClient.open(name: "watcher", server: host.server)
    try await waitUntil("\(from) is connected to \(to)") {
      try watcher.connection.connections(ofPort: from).contains(to)
    }
  }

  private static func expectConnections(of host: HostProcess, to targets: Set<String>) throws {
    let watcher = try OpenedClient.open(name: "watcher", server: host.server)
    let found = try watcher.connection.connections(ofPort: host.port("main_out_1"))
    #expect(Set(found) == targets)
    let deck = try watcher.connection.connections(ofPort: host.port("deck_in_1"))
    #expect(deck == ["\(host.name)-sources:deck_1"])
  }

  private static func record(_ host: HostProcess, frames: Int) async throws -> [Float] {
    let recorder = try Recorder(
      from: [host.port("main_out_1")],
      capacityFrames: frames,
      server: host.server,
    )
    recorder.start()
    return try await recorder.finish().channels[0]
  }
}
