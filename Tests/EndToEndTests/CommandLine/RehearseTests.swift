// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import Sessions
import TestSupport
import Testing

@testable import EndToEndSupport

/// `multiroute rehearse`, without a host.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RehearseTests {
  @Test func `faults of graph and events end with 65 and their places`() async throws {
    let scratch = try Scratch()
    let events = try scratch.write(
      "multiroute: 1\nevents: [{at: 1 s, call: rings}]\n",
      to: "e.yaml"
    )
    let graph = try scratch.write(
      """
      multiroute: 1
      routes: {main: {type: lineOut, ports: [system:playback_1]}}
      sources: {deck: {tone: {}}}
      mix: [{from: deck, to: main}]
      """,
      to: "g.yaml",
    )
    let bad = try await Multiroute.run("rehearse", graph, "--events", events, in: scratch)
    #expect(bad.end == .code(65))
    #expect(bad.standardError.contains("e.yaml:2:26: error: call: 'rings' is not known"))
  }

  @Test func `two policies are compared, and drawn`() async throws {
    let scratch = try Scratch()
    let folder = Repository.path("graphs/policies")
    let picture = scratch.path + "/drive.svg"
    let output = try await Multiroute.run(
      "rehearse",
      "\(folder)/car.yaml",
      "--events",
      "\(folder)/events/drive.yaml",
      "--against",
      "\(folder)/dj.yaml",
      "--svg",
      picture,
      in: scratch,
    )
    #expect(output.end == .code(0), "\(output.standardError)")
    #expect(
      output.standardOutput.contains("mpv: lowered by navigation (-18 dB) (ACT-3) → heard (ACT-1)")
    )
    let lines = output.standardOutput.split(whereSeparator: \.isNewline).dropFirst()
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(try String(contentsOfFile: picture, encoding: .utf8).contains("<svg"))
  }
}
