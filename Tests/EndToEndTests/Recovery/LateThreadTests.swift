// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import EndToEndSupport

/// A machine on which a thread of libjack begins late.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct LateThreadTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// A host; one of the threads that its control thread starts, counted from 1, begins 1.2 s late.
  private func host(late thread: Int, _ arguments: [String] = []) async throws -> HostProcess {
    let graph = try scratch.write(
      """
      multiroute: 1
      server: {start: never}
      permissions: {default: granted}
      routes: {main: {type: lineOut, ports: [system:playback_1]}}
      sources: {tone: {tone: {}}}
      mix: [{from: tone, to: main}]
      """,
      to: "late.yaml",
    )
    return try HostProcess(
      graph: graph,
      server: testServer().name,
      arguments: arguments,
      environment: [
        "LD_PRELOAD": try await PreloadedLibrary.compile(
          "Tests/LateThreads/late-threads.c",
          in: scratch,
        ), "LATE_THREAD": "\(thread)", "LATE_MILLISECONDS": "1200",
      ],
      in: scratch,
    )
  }

  /// libjack gives each thread of notifications a second, and uses the client that it has freed when the thread begins after that.
  @Test(.steppedServer(frames: 256), arguments: 1...4)
  func `a host starts and ends in order although a thread begins after more than a second`(
    thread: Int
  ) async throws {
    let host = try await host(late: thread)
    _ = try await host.attached()
    #expect(try await host.stop() == .code(0))
  }

  @Test(.steppedServer(frames: 256))
  func `the time of --duration begins when the host plays`() async throws {
    let host = try await host(late: 1, ["--duration", "1s"])
    _ = try await host.attached()
    #expect(try await host.child.waitForEnd() == .code(0), "\(host.child.standardError)")
  }
}
