// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import EndToEndSupport

/// A machine on which a thread of libjack begins late.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct LateThreadTests {
  /// libjack gives each thread of notifications a second, and uses the client that it has freed when the thread begins after that.
  @Test(.steppedServer(frames: 256), arguments: 1...4)
  func `a host starts and ends in order although a thread begins after more than a second`(
    thread: Int
  ) async throws {
    let scratch = try Scratch()
    let library = scratch.path + "/late-threads.so"
    let compiler = try Child(
      "/bin/sh",
      [
        "-c", #"exec "$(dirname "$(readlink -f "$(command -v swift)")")/clang" "$@""#, "clang",
        "-shared", "-fPIC", "-o", library, Repository.path("Tests/LateThreads/late-threads.c"),
      ],
      in: scratch,
    )
    #expect(try await compiler.waitForEnd() == .code(0), "\(compiler.standardError)")
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
    let host = try HostProcess(
      graph: graph,
      server: testServer().name,
      environment: [
        "LD_PRELOAD": library, "LATE_THREAD": "\(thread)", "LATE_MILLISECONDS": "1200",
      ],
      in: scratch,
    )
    _ = try await host.attached()
    #expect(try await host.stop() == .code(0))
  }
}
