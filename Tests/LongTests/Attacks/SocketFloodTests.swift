// SPDX-License-Identifier: MIT

import ControlSocket
import TestSupport
import Testing

@testable import EndToEndSupport

/// Floods at the control socket of a playing host, from another process.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct SocketFloodTests {
  @Test(.jackServer(frames: 256, channels: 2))
  func `a flood holds up neither other clients nor newcomers`() async throws {
    let scratch = try Scratch()
    let graph = try scratch.write(
      """
      multiroute: 1
      routes:
        main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
      sources:
        tone: {tone: {}}
      mix:
        - {from: tone, to: main}
      """,
      to: "flooded.yaml",
    )
    let host = try await HostProcess.running(
      graph: graph,
      server: try testServer().name,
      in: scratch
    )
    let socket = try SocketPath.path(hostName: host.name, directory: scratch.socketDirectory)
    // Everybody is answered. How fast is a figure of the machine, for docs/security.md; whose turn it is TurnsTests prove.
    let flood = try Child(
      "python3",
      [Repository.path("scripts/lib/flood-socket.py"), socket, "--seconds", "4"],
      in: scratch,
    )
    let end = try await flood.waitForEnd(within: .seconds(90))
    #expect(end == .code(0), "\(flood.standardOutput)\(flood.standardError)")
    print(flood.standardOutput)
    #expect(try await host.stop() == .code(0))
  }
}
