// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import TestSupport
import Testing

@testable import EndToEndSupport

/// The levels of a running host, as scripts and people see them.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct MetersTests {
  private func running(in scratch: Scratch) async throws -> HostProcess {
    let graph = try scratch.write(
      """
      multiroute: 1
      session: {preferred: {sampleRate: 48 kHz}}
      server: {start: never}
      routes:
        main: {type: lineOut, ports: [system:playback_1]}
      sources:
        deck-a: {tone: {level: -6 dB}, meter: pre}
        deck-b: {tone: {level: -12 dB}}
      mix: [{from: deck-a, to: main}, {from: deck-b, to: main}]
      controls: {crossfader: {a: deck-a, b: deck-b, position: -1}}
      """,
      to: "meters.yaml",
    )
    return try await HostProcess.running(graph: graph, server: testServer().name, in: scratch)
  }

  /// One reading of `multiroute meters`.
  private func reading(in scratch: Scratch) async throws -> Meters {
    let output = try await Multiroute.run("meters", "--json", in: scratch)
    #expect(output.end == .code(0), "\(output.standardError)")
    return try JSONCoding.decoder().decode(Meters.self, from: Data(output.standardOutput.utf8))
  }

  @Test(.steppedServer(frames: 256))
  func `a deck that is faded out is still seen before its fader`() async throws {
    let scratch = try Scratch()
    let host = try await running(in: scratch)
    let heard = try await reading(in: scratch)
    #expect(heard.strips.map(\.id) == ["deck-a", "deck-b"])
    for level in [heard.strips[0].prePeak[0], heard.strips[0].peak[0], heard.routes[0].peak[0]] {
      #expect(abs(level - 0.501) < 0.005)
    }
    // The crossfader is at the other side.
    #expect(abs(heard.strips[1].prePeak[0] - 0.251) < 0.005)
    #expect(heard.strips[1].peak == [0])

    let set = try await Multiroute.run("set", "gain", "deck-a", "-inf", in: scratch)
    #expect(set.end == .code(0), "\(set.standardError)")
    let silent = try await reading(in: scratch)
    #expect(abs(silent.strips[0].prePeak[0] - 0.501) < 0.005)
    #expect(abs(silent.strips[0].preRMS[0] - 0.354) < 0.02)
    #expect(silent.strips[0].peak == [0])
    #expect(silent.routes[0].peak == [0])
    #expect(try await host.stop() == .code(0))
  }

  @Test(.steppedServer(frames: 256))
  func `text shows the tap of each strip, and marks the one before the fader`() async throws {
    let scratch = try Scratch()
    let host = try await running(in: scratch)
    let cases: [(words: [String], line: String)] = [
      (["--plain"], "deck-a (pre) -6.0 dB | deck-b -inf dB | main -6.0 dB"),
      (["--plain", "--tap", "pre"], "deck-a (pre) -6.0 dB | deck-b (pre) -12.0 dB | main -6.0 dB"),
      (["--plain", "--tap", "post"], "deck-a -6.0 dB | deck-b -inf dB | main -6.0 dB"),
    ]
    for (words, line) in cases {
      let output = try await Multiroute.run(["meters"] + words, in: scratch)
      #expect(output.end == .code(0), "\(output.standardError)")
      #expect(output.standardOutput == line + "\n")
    }
    let bars = try await Multiroute.run("meters", "--interval", "100ms", in: scratch)
    let lines = bars.standardOutput.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines.first?.hasSuffix("peak      RMS") == true)
    #expect(lines.dropFirst().first?.hasPrefix("strip deck-a (pre) 1 ") == true)
    let status = try await Multiroute.run("status", in: scratch)
    let deck = status.standardOutput.split(separator: "\n").first { $0.hasPrefix("deck-a") }
    #expect(deck?.hasSuffix("meter pre") == true)
    #expect(try await host.stop() == .code(0))
  }

  @Test(arguments: [
    (["--tap", "sideways"], "'sideways'"), (["--interval", "5s"], "allowed: 20ms to 1s"),
  ])
  func `a wrong tap or interval is refused`(words: [String], says: String) async throws {
    let output = try await Multiroute.run(["meters"] + words, in: Scratch())
    #expect(output.end == .code(64))
    #expect(output.standardError.contains(says))
  }
}
