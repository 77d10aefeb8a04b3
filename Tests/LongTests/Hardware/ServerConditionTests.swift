// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import Glibc
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// Servers in other conditions than plain running: resized by others, stopped, refusing patches.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct ServerConditionTests {
  private static let noise = Signals.noise(70_000, seed: 21)

  private func graph(_ session: String, in scratch: Scratch) throws -> String {
    try scratch.write([Self.noise], to: "noise.flac", format: .flacPCM16)
    return try scratch.write(
      """
      multiroute: 1
      session: {\(session)}
      server: {start: never}
      routes: {main: {type: lineOut, ports: [system:playback_1]}}
      sources: {deck: {file: noise.flac, loop: true}}
      mix: [{from: deck, to: main}]
      """,
      to: "conditions.yaml",
    )
  }

  @Test(.jackServer(frames: 256))
  func `another program's buffer size is followed, put back three times, and given way to`()
    async throws
  {
    let scratch = try Scratch()
    let server = try testServer().name
    let host = try await HostProcess.running(
      graph: graph("preferred: {ioBufferFrames: 240}", in: scratch),
      server: server,
      in: scratch,
    )
    let recorder = try Recorder(
      from: [host.port("main_out_1")],
      capacityFrames: 8 * 48_000,
      server: server,
    )
    let user = try OpenedClient.open(name: "user", server: server).activate()
    recorder.start()
    try await waitUntil("some of it is recorded") { recorder.capturedFrames > 12_000 }
    for (round, frames) in [512, 1024, 64].enumerated() {
      try user.connection.setBufferFrames(UInt32(frames))
      let changes = try await host.waitForEvents(.hardwareChanged, count: 2 * (round + 1))
      #expect(changes[2 * round].hardwareChanged?.ioBufferFrames == frames)
      #expect(changes[2 * round + 1].hardwareChanged?.ioBufferFrames == 240)
      #expect(try user.connection.bufferFrames == 240)
    }
    try user.connection.setBufferFrames(480)
    let gaveWay = try await host.waitForEvents(.gaveWay)
    #expect(gaveWay[0].message.contains("480 frames"))
    #expect(gaveWay[0].gaveWay?.value == .ioBufferFrames)
    // Long enough for a host that would put it back once more.
    try await recorder.pass(14_400)
    #expect(try user.connection.bufferFrames == 480)
    let told = try await host.status().hardware.ioBufferFrames
    #expect(told.preferred == 240)
    #expect(told.actual == 480)
    #expect(try #require(told.reason).contains("gave way"))

    // Each change costs two periods of silence at most, and no sample of the file.
    let samples = Array(try await recorder.finish(within: .seconds(20)).channels[0])
    let gaps = Signals.silentRuns(samples).filter { $0.count > 2 }
    #expect(gaps.allSatisfy { $0.count <= 2 * 1024 }, "\(gaps)")
    #expect(gaps.count <= 7, "\(gaps)")
    let sounding = samples.indices.filter { index in !gaps.contains { $0.contains(index) } }
      .map { samples[$0] }
    let match = try #require(Signals.longestMatch(of: sounding, from: 0, inLoop: Self.noise))
    #expect(match.frames == sounding.count)
    #expect(try await host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256))
  func `a stopped server is told of with the remedy, and plays on afterwards`() async throws {
    let scratch = try Scratch()
    let host = try await HostProcess.running(
      graph: graph("", in: scratch),
      server: testServer().name,
      in: scratch,
    )
    let pid = try #require(try await host.status().server.pid)
    kill(pid, SIGSTOP)
    defer { kill(pid, SIGCONT) }
    let told = try await host.waitForEvents(.error).first
    #expect(told?.message.contains("'kill -CONT \(pid)'") == true, "\(String(describing: told))")
    #expect(try await host.status().server.fault?.contains("is stopped") == true)
    kill(pid, SIGCONT)
    let back = try await host.waitForEvents(.serverBack).first
    #expect(back?.message.contains("runs cycles again") == true)
    #expect(try await host.status().server.fault == nil)
    #expect(host.events.count { $0.kind == .error } == 1)
    #expect(try await host.stop() == .code(0))
  }

  @Test(.aloneWithJACK, arguments: ["e", "a", "E", "A"])
  func `a server that keeps clients from patching is reported, and the host goes on`(
    mode: String
  ) async throws {
    let scratch = try Scratch()
    let server = try await TestServer.start(extraArguments: ["-a", mode])
    let host = try await HostProcess.running(
      graph: graph("", in: scratch),
      server: server.name,
      in: scratch,
    )
    let errors = try await host.waitForEvents(.error)
    #expect(errors.contains { $0.message.contains("system:playback_1") })
    #expect(errors.allSatisfy { $0.message.contains("-a") }, "\(errors.map(\.message))")
    let watcher = try OpenedClient.open(name: "watcher", server: server.name)
    #expect(try watcher.connection.connections(ofPort: host.port("main_out_1")).isEmpty)
    let cycles = try await host.status().engine.cycles
    try await waitUntil("the engine goes on") {
      try await host.status().engine.cycles > cycles
    }
    #expect(try await host.stop() == .code(0))
    await server.stop()
  }

  @Test(.jackServer(frames: 64, channels: 4))
  func `a running host needs less than 60 MB`() async throws {
    let scratch = try Scratch()
    let host = try await HostProcess.running(
      graph: Repository.path("graphs/dj-split.yaml"),
      server: testServer().name,
      in: scratch,
    )
    let control = try await host.control()
    for _ in 0..<20 { _ = try await control.call(GetStatus.self) }
    // A second of cycles.
    try await passFrames(48_000, on: host.server)
    let bytes = try #require(host.residentBytes)
    #expect(bytes < 60_000_000)
    #expect(try await host.stop() == .code(0))
  }

  @Test(.jackServer())
  func `clients that write metadata at once do not wait for each other for ever`() async throws {
    let scratch = try Scratch()
    let server = try testServer().name
    let program = try Multiroute.path(of: "MetadataStorm")
    let children = try (0..<6).map { number in
      let work = number.isMultiple(of: 2) ? ["write", "9000"] : ["read", "36000"]
      return try Child(program, ["storm\(number)", server] + work, in: scratch)
    }
    for child in children {
      let end = try await child.waitForEnd(within: .seconds(40))
      #expect(end == .code(0), "\(child.standardError)")
    }
  }
}
