// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Glibc
import TestSupport
import Testing

@testable import EndToEndSupport

/// The program under small limits of the system, and with a graph that would make it wait: exit statuses 71 and 65.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct LimitTests {
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
    let end = try await child.waitForEnd()
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

  @Test func `a pipe as a graph is refused at once`() async throws {
    let scratch = try Scratch()
    let path = scratch.path + "/pipe.yaml"
    #expect(unsafe mkfifo(path, 0o600) == 0)
    for command in ["run", "check"] {
      let output = try await Multiroute.run(command, path, in: scratch)
      #expect(output.end == .code(65) && output.standardError.contains("regular file"))
    }
  }
}
