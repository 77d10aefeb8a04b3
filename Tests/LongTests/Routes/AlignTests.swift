// SPDX-License-Identifier: MIT

import Foundation
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// `multiroute align`: the offset of two routes, measured with a microphone.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct AlignTests {
  /// The command's output.
  private struct Result: Decodable {
    let firstDelayFrames: Double
    let secondDelayFrames: Double
    let offsetMilliseconds: Double
    let route: String
    let alignMilliseconds: Double
  }

  @Test(.jackServer(channels: 2))
  func `clicks on two routes tell by how much to delay the earlier one`() async throws {
    let server = try testServer().name
    let scratch = try Scratch()
    let graph = try scratch.write(
      """
      multiroute: 1
      routes:
        near: {type: lineOut, ports: [system:playback_1]}
        far: {type: headphones, align: 12.5 ms, ports: [system:playback_2]}
      """,
      to: "align.yaml",
    )
    let host = try await HostProcess.running(graph: graph, server: server, in: scratch)
    // The room: both routes reach one microphone.
    let air = try scratch.passing("air", server)
    let patcher = try OpenedClient.open(name: "patcher", server: server).activate()
    try await waitUntil("both routes reach the microphone") {
      do throws(JACKError) {
        try patcher.connection.connect(host.port("near_out_1"), to: "air:in_1")
        try patcher.connection.connect(host.port("far_out_1"), to: "air:in_1")
        return true
      } catch {
        guard error.code == .noSuchPort || error.code == .refused else { throw error }
        return false
      }
    }
    // The median of five clicks: one of them that meets a lost cycle does not change it.
    func measure() async throws -> Result {
      let output = try await Multiroute.run(
        ["align", "near", "far", "--microphone", "air:out_1", "--host", host.name]
          + ["--repetitions", "5", "--json"],
        in: scratch,
      )
      try #require(output.end == .code(0), "\(output.standardError)")
      return try JSONDecoder().decode(Result.self, from: Data(output.standardOutput.utf8))
    }
    let before = try await measure()
    #expect(abs(before.offsetMilliseconds - 12.5) < 0.001)
    #expect(before.route == "near")
    #expect(abs(before.alignMilliseconds - 12.5) < 0.001)

    let set = try await Multiroute.run(
      "set",
      "align",
      "near",
      "\(before.alignMilliseconds)",
      "--host",
      host.name,
      in: scratch,
    )
    #expect(set.end == .code(0), "\(set.standardError)")
    let after = try await measure()
    #expect(abs(after.offsetMilliseconds) < 0.001)
    #expect(abs(after.secondDelayFrames - after.firstDelayFrames) < 0.05)

    // A wrong name is refused before any click.
    let wrong = try await Multiroute.run(
      "align",
      "near",
      "nosuch",
      "--microphone",
      "air:out_1",
      "--host",
      host.name,
      in: scratch,
    )
    #expect(wrong.end == .code(65))
    #expect(wrong.standardError.contains("no output route 'nosuch'; allowed: near, far"))
    let deaf = try await Multiroute.run(
      "align",
      "near",
      "far",
      "--microphone",
      "system:capture_1",
      "--host",
      host.name,
      "--repetitions",
      "1",
      in: scratch,
    )
    #expect(deaf.end == .code(65))
    #expect(deaf.standardError.contains("no click was recognised at system:capture_1"))
    _ = patcher.close()
    air.send(SIGTERM)
    #expect(try await host.stop() == .code(0))
  }
}
