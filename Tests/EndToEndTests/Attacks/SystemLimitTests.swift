// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Glibc
import TestSupport
import Testing

/// The program under small limits of the system, and with files and readers that would make it wait.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct SystemLimitTests {
  private static let graph = """
    multiroute: 1
    server: {start: never}
    routes: {main: {type: lineOut, ports: [system:playback_1]}}
    sources: {deck: {tone: {level: -6 dB}}}
    mix: [{from: deck, to: main}]
    """

  /// Runs the program below a shell that sets limits first.
  private func run(
    _ limits: String,
    _ words: String,
    in scratch: Scratch,
  ) async throws -> (end: Child.End, output: String, errors: String) {
    let child = try Child(
      "/bin/sh",
      ["-c", "\(limits); exec '\(try Multiroute.path())' \(words)"],
      environment: scratch.hostEnvironment,
      in: scratch,
    )
    let end = try await child.waitForEnd(within: .seconds(30))
    return (end, child.standardOutput, child.standardError)
  }

  @Test(arguments: [116_000, 120_000, 132_000, 200_000])
  func `without memory for threads the version is said, and other commands are refused`(
    kibibytes: Int
  ) async throws {
    let scratch = try Scratch()
    let version = try await run("ulimit -v \(kibibytes)", "--version", in: scratch)
    // Below the size of the program itself the loader refuses it.
    guard version.end != .code(127) else { return }
    #expect(version.end == .code(0) && version.output.hasPrefix("0."))
    let status = try await run("ulimit -v \(kibibytes)", "status", in: scratch)
    #expect(status.end == .code(71) && status.errors.contains("ulimit -v"))
  }

  @Test(arguments: [10, 17, 30, 255])
  func `a host that may open too few files says so at its start`(files: Int) async throws {
    let scratch = try Scratch()
    let graph = try scratch.write(Self.graph, to: "g.yaml")
    let host = try await run("ulimit -n \(files)", "run \(graph)", in: scratch)
    #expect(host.end == .code(71))
    #expect(host.errors.contains("may open \(files) files") && host.errors.contains("ulimit -n"))
  }

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

  @Test func `a pipe as a graph is refused at once`() async throws {
    let scratch = try Scratch()
    let path = scratch.path + "/pipe.yaml"
    #expect(unsafe mkfifo(path, 0o600) == 0)
    for command in ["run", "check"] {
      let output = try await Multiroute.run(command, path, in: scratch)
      #expect(output.end == .code(65) && output.standardError.contains("regular file"))
    }
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
