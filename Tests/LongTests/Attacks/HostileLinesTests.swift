// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import TestSupport
import Testing

@testable import EndToEndSupport

/// Hostile input at the control socket of a playing host, which must not be heard.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct HostileLinesTests {
  /// Lines near to good ones; none of them names a strip or route that exists.
  private static let seeds = [
    #"{"jsonrpc":"2.0","id":1,"method":"setGain","params":{"strip":"nobody","gainDB":-90}}"#,
    #"{"jsonrpc":"2.0","id":2,"method":"setSend","params":{"strip":"x","route":"y","gainDB":0}}"#,
    #"{"jsonrpc":"2.0","id":"a","method":"subscribe","params":{"topics":["events","meters"]}}"#,
    #"{"jsonrpc":"2.0","id":3,"method":"hello","params":{"client":"fuzz","versions":[1,2]}}"#,
    #"{"jsonrpc":"2.0","method":"fade","params":{"route":"nowhere","gainDB":"-inf"}}"#,
    #"[{"jsonrpc":"2.0","id":4,"method":"status"},{"jsonrpc":"2.0","id":5,"method":"x"}]"#,
  ].map { Array($0.utf8) }

  @Test(.jackServer(frames: 256, channels: 2))
  func `100,000 mutated lines at a playing host leave the audio untouched`() async throws {
    let scratch = try Scratch()
    let file = [Signals.noise(60_000, seed: 5), Signals.noise(60_000, seed: 6)]
    try scratch.write(file, to: "a.wav", format: .wavPCM16)
    let graph = try scratch.write(
      """
      multiroute: 1
      routes:
        main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
      sources:
        deck: {file: a.wav, loop: true}
      mix:
        - {from: deck, to: main}
      """,
      to: "hostile.yaml",
    )
    let server = try testServer().name
    let host = try await HostProcess.running(graph: graph, server: server, in: scratch)
    let socket = try SocketPath.path(hostName: host.name, directory: scratch.socketDirectory)
    let recorder = try Recorder(
      from: ["main_out_1", "main_out_2"].map { host.port($0) },
      capacityFrames: 4 * 48_000,
      server: server,
    )
    recorder.start()
    let sent = try await withThrowingTaskGroup(of: Int.self) { group in
      for attacker in 0..<4 {
        let seed = TestSeed.derived(number: attacker)
        group.addTask {
          try await onOwnThread { try Self.attack(socket, lines: 25_000, seed: seed) }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(sent == 100_000)
    let recording = try await recorder.finish()
    recorder.close()
    for (samples, reference) in zip(recording.channels, file) {
      let start = try #require(samples.indices.dropFirst(4_800).first { samples[$0] != 0 })
      let match = try #require(Signals.longestMatch(of: samples, from: start, inLoop: reference))
      #expect(start + match.frames == samples.count, "equal for \(match.frames) frames")
    }
    // And it still listens.
    let client = try await ControlClient.connect(to: .path(socket), clientName: "healthy")
    let status = try await client.call(GetStatus.self)
    #expect(status.strips.map(\.gainDB) == [0])
    await client.close()
    #expect(try await host.stop() == .code(0))
  }

  /// Sends mutated lines, over as many connections as it takes: the host may cut any of them off.
  ///
  /// - Returns: The lines sent.
  private static func attack(_ path: String, lines: Int, seed: UInt64) throws -> Int {
    var random = SeededRandom(seed: seed)
    var descriptor = try connect(path)
    defer { close(descriptor) }
    var sent = 0
    var answers = [UInt8](repeating: 0, count: 65_536)
    while sent < lines {
      var line = seeds[Int.random(in: 0..<seeds.count, using: &random)]
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<line.count, using: &random)
        if Bool.random(using: &random) {
          line[place] = UInt8.random(in: 0...255, using: &random)
        } else {
          line.insert(contentsOf: line[place...].prefix(30), at: place)
        }
      }
      line.append(UInt8(ascii: "\n"))
      while unsafe recv(descriptor, &answers, answers.count, Int32(MSG_DONTWAIT)) > 0 {}
      if unsafe send(descriptor, line, line.count, Int32(MSG_NOSIGNAL)) < 0 {
        close(descriptor)
        descriptor = try connect(path)
      } else {
        sent += 1
      }
    }
    return sent
  }

  private static func connect(_ path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      for (index, byte) in path.utf8.enumerated() { unsafe bytes[index] = byte }
    }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.connect(descriptor, $0, length)
      }
    }
    guard result == 0 else {
      close(descriptor)
      throw TestFailure("cannot connect to \(path): errno \(errno)")
    }
    return descriptor
  }
}
