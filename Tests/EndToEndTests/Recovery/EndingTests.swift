// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Glibc
import TestSupport
import Testing

@testable import EndToEndSupport

/// How the host ends: heard as an end, not as a click.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct EndingTests {
  /// The causes that end a host from outside.
  private enum Cause: CaseIterable {
    case interrupt, terminate, stopRequest, duration
  }

  private static let amplitude: Float = 0.5
  private static let frequencyHz = 200.0

  @Test(.steppedServer(frames: 256), arguments: Cause.allCases)
  private func `the end is a fade down to exact silence`(_ cause: Cause) async throws {
    let scratch = try Scratch()
    let graph = try scratch.write(
      """
      multiroute: 1
      server: {start: never}
      routes: {main: {type: lineOut, ports: [system:playback_1]}}
      sources: {tone: {tone: {frequency: \(Self.frequencyHz) Hz, level: -6.0206 dB}}}
      mix: [{from: tone, to: main}]
      """,
      to: "ending.yaml",
    )
    let server = try steppedServer()
    let start = server.frame
    let host = try await HostProcess.running(
      graph: graph,
      server: server.name,
      arguments: cause == .duration ? ["--duration", "2"] : [],
      in: scratch,
    )
    func heard() -> ArraySlice<Float> {
      let samples = server.heard(0, from: start)
      return samples.drop { $0 == 0 }
    }
    try await waitUntil("it has sounded for half a second") { heard().count > 24_000 }
    switch cause {
    case .interrupt: host.child.send(SIGINT, toGroup: true)
    case .terminate: host.child.send(SIGTERM)
    case .stopRequest:
      let control = try await host.control()
      _ = try await control.call(Stop.self, Stop.Params(fadeMilliseconds: 100))
    case .duration: break
    }
    #expect(try await host.child.waitForEnd() == .code(0))
    #expect(host.events.contains { $0.kind == .stopping })
    let end = server.frame
    try await waitUntil("a tenth of a second more is heard") { server.frame > end + 4_800 }
    let samples = Array(heard())

    let last = try #require(samples.lastIndex { $0 != 0 })
    try #require(last > 24_000)
    #expect(samples.count - last > 4_800, "silence comes last")
    // A sine's steepest step, plus that of a linear fade of 50 ms.
    let step = Double(Self.amplitude) * (2 * .pi * Self.frequencyHz / 48_000 + 1 / (0.05 * 48_000))
    let steps = zip(samples, samples.dropFirst()).map { abs(Double($1) - Double($0)) }
    let largest = steps.dropFirst(24_000).max() ?? 0
    #expect(largest <= step * 1.01, "largest step \(largest)")
    // It has faded before, over the time that a fade takes.
    let before = Signals.peak(samples[(last - 9_600)..<(last - 7_200)])
    let middle = Signals.peak(samples[(last - 1_200)..<(last - 600)])
    #expect(before > 0.49)
    #expect(middle < before && middle > 0)
  }

  @Test(.aloneWithJACK)
  func `Ctrl-C reaches the whole group of the terminal, and still the end is orderly`()
    async throws
  {
    let scratch = try Scratch()
    let graph = try scratch.write(
      """
      multiroute: 1
      server: {driver: dummy}
      routes: {main: {type: lineOut, ports: [system:playback_1]}}
      sources: {tone: {tone: {}}}
      mix: [{from: tone, to: main}]
      """,
      to: "own.yaml",
    )
    let host = try await HostProcess.running(
      graph: graph,
      server: Scratch.uniqueName("server"),
      in: scratch,
    )
    let pid = try #require(try await host.status().server.pid)
    host.child.send(SIGINT, toGroup: true)
    #expect(try await host.child.waitForEnd() == .code(0))
    #expect(host.child.standardError.isEmpty)
    #expect(!host.events.contains { $0.kind == .serverLost })
    #expect(kill(pid, 0) == -1 && errno == ESRCH, "its server has ended")
  }
}
