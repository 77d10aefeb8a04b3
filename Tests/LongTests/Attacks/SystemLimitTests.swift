// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Glibc
import TestSupport
import Testing

@testable import EndToEndSupport

/// A host with few descriptors, and with readers that would make it wait.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct SystemLimitTests {
  private static let graph = """
    multiroute: 1
    server: {start: never}
    routes: {main: {type: lineOut, ports: [system:playback_1]}}
    sources: {deck: {tone: {level: -6 dB}}}
    mix: [{from: deck, to: main}]
    """

  @Test(.jackServer())
  func `connections use up no descriptors of the host`() async throws {
    let scratch = try Scratch()
    let graph = try scratch.write(Self.graph, to: "g.yaml")
    let server = try testServer().name
    let name = Scratch.uniqueName("host")
    let words = "run \(graph) --server \(server) --name \(name) --json --duration 60"
    let host = try Child(
      "/bin/sh",
      ["-c", "ulimit -n 256; exec '\(try Multiroute.path())' \(words)"],
      environment: scratch.hostEnvironment,
      in: scratch,
    )
    try await waitUntil("the host is attached", within: .seconds(30)) {
      host.standardOutput.contains("attached")
    }
    let first = try await ControlClient.connect(
      to: .name(name),
      directory: scratch.socketDirectory,
      clientName: "first",
    )
    let path = "\(scratch.socketDirectory)/\(name).sock"
    let sockets = (0..<400).map { _ in Self.connect(path) }
    defer { for socket in sockets { close(socket) } }
    // Those that were there are served, and files are still to be had.
    let file = scratch.path + "/take.wav"
    let params = StartRecording.Params(recorder: "take", from: "main", file: file)
    #expect(try await first.call(StartRecording.self, params).recording)
    #expect(try await first.call(GetStatus.self).server.state == .running)
    await first.close()
    host.send(SIGTERM)
    #expect(try await host.waitForEnd(within: .seconds(30)) == .code(0))
  }

  private static func connect(_ path: String) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = unsafe Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    return descriptor
  }

  /// A stream of the host whose reader goes or stops, in the shell's words.
  enum Unread: String, CaseIterable {
    case outputOfOneByte = "> >(head -c 1 >/dev/null)"
    case output = "> >(sleep 60)"
    case errors = "--log debug >/dev/null 2> >(sleep 60)"
  }

  @Test(.jackServer(), arguments: Unread.allCases)
  func `a reader of a standard stream that goes or stops ends no host`(
    _ stream: Unread
  ) async throws {
    let scratch = try Scratch()
    let graph = try scratch.write(Self.graph, to: "g.yaml")
    let server = try testServer().name
    let name = Scratch.uniqueName("host")
    let program = try Multiroute.path()
    let words = "run \(graph) --server \(server) --name \(name) --events --duration 60"
    let shell = try Child(
      "/bin/bash",
      ["-c", "'\(program)' \(words) \(stream.rawValue); echo \"end $?\" >&2"],
      environment: scratch.hostEnvironment,
      in: scratch,
    )
    try await waitUntil("the host has a socket", within: .seconds(30)) {
      unsafe access("\(scratch.socketDirectory)/\(name).sock", F_OK) == 0
    }
    let client = try await ControlClient.connect(
      to: .name(name),
      directory: scratch.socketDirectory,
      clientName: "t",
    )
    try await waitUntil("the host is attached", within: .seconds(30)) {
      try await client.call(GetStatus.self).server.state == .running
    }
    // Far more events than a pipe holds.
    for index in 0..<3_000 {
      let muted = SetMute.Params(target: .strip("deck"), muted: index % 2 == 0)
      _ = try await client.call(SetMute.self, muted)
    }
    #expect(try await client.call(GetStatus.self).server.state == .running)
    let pid = try await client.call(GetStatus.self).host.pid
    await client.close()
    kill(pid, SIGTERM)
    try await waitUntil("the host has ended", within: .seconds(30)) {
      shell.standardError.contains("end 0")
    }
    shell.send(SIGTERM, toGroup: true)
  }
}
