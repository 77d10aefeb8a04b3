// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import TestSupport
import Testing

@testable import EndToEndSupport

/// The dry run of a version against the sound of the same version.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct PlannedSoundTests {
  private static let level: Float = 0.25

  /// A graph of three strips, each on a route of its own, that changes step by step.
  private struct Version {
    /// The name of each strip, and the one before.
    var names = ["a", "b", "c"]
    var was: [String?] = [nil, nil, nil]
    var gains = [0, 0, 0]
    var labels = [0, 0, 0]
    /// The program that feeds each strip.
    var feeds = ["left", "left", "left"]
    private var renames = 0

    /// Changes one thing of one strip.
    mutating func change(using random: inout SeededRandom) {
      was = [nil, nil, nil]
      let strip = Int.random(in: 0..<3, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: labels[strip] += 1
      case 1: gains[strip] = gains[strip] == 0 ? Int.random(in: -30 ... -1, using: &random) : 0
      case 2:
        renames += 1
        was[strip] = names[strip]
        names[strip] = "\(names[strip].prefix(1))-\(renames)"
      default: feeds[strip] = feeds[strip] == "left" ? "right" : "left"
      }
    }

    var text: String {
      let sources = (0..<3).map { index in
        let was = was[index].map { "was: \($0), " } ?? ""
        return "  \(names[index]): {\(was)ports: [\"\(feeds[index]):out_\(index + 1)\"], "
          + "gain: \(gains[index]) dB, label: take \(labels[index])}"
      }
      let routes = (0..<3).map { "  r\($0): {type: lineOut, ports: [system:playback_\($0 + 1)]}" }
      let sends = (0..<3).map { "  - {from: \(names[$0]), to: r\($0)}" }
      return """
        multiroute: 1
        server: {start: never}
        routes:
        \(routes.joined(separator: "\n"))
        sources:
        \(sources.joined(separator: "\n"))
        mix:
        \(sends.joined(separator: "\n"))

        """
    }
  }

  /// The silence of a strip that pauses, in frames: as the dry run says, how much longer the host says that it was, and as it was
  /// recorded.
  private struct Gap: Sendable {
    let predicted: Int
    let late: Int
    let recorded: Int
  }

  private static func longestSilence(_ samples: some Sequence<Float>) -> Int {
    var (longest, run) = (0, 0)
    for sample in samples {
      run = sample == 0 ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }

  /// Applies a version, and compares the sound of all routes with its plan.
  ///
  /// - Parameters:
  ///   - version: The version.
  ///   - path: The graph's file.
  ///   - control: The host.
  ///   - pace: The time from one cycle to the next while it is applied.
  /// - Returns: Its pauses.
  /// - Throws: A change that the host refuses.
  private static func gaps(
    of version: Version,
    at path: String,
    _ control: ControlClient,
    pace: Duration,
  ) async throws -> [Gap] {
    let server = try steppedServer()
    try version.text.write(toFile: path, atomically: true, encoding: .utf8)
    let plan = try await control.call(ApplyGraph.self, .init(path: path, dryRun: true)).plan
    let start = try await server.step().firstFrame
    server.run(every: pace)
    let result = try await control.call(ApplyGraph.self, .init(path: path))
    server.run()
    #expect(result.applied && result.plan == plan)
    try await server.step(9_600 / server.periodFrames)
    var gaps: [Gap] = []
    for (channel, name) in version.names.enumerated() {
      let samples = server.heard(channel, from: start)
      let heard = plan.heard.filter { $0.strip == name }
      let (first, last) = (try #require(samples.first), try #require(samples.last))
      #expect(first > 0 && last > 0)
      switch heard.first?.effect {
      case nil:
        #expect(heard.isEmpty && samples.allSatisfy { $0 == first }, "\(name): \(plan)")
      case .ramps:
        let steps = zip(samples, samples.dropFirst()).map { abs($1 - $0) }
        let step = abs(last - first) / 240
        #expect(steps.allSatisfy { $0 <= step * 1.05 }, "\(name): \(steps.max() ?? 0) > \(step)")
      case .pauses:
        let silent = try #require(heard[0].silentMilliseconds)
        gaps.append(
          Gap(
            predicted: Int(silent * 48),
            late: Int((result.lateMilliseconds * 48).rounded()),
            recorded: longestSilence(samples),
          )
        )
      case let other:
        Issue.record("\(name) is not to be heard like this: \(String(describing: other))")
      }
    }
    return gaps
  }

  // A host that is late says by how much, and the gap is as much longer.
  @Test(.steppedServer(frames: 1_024, channels: 3))
  func `each gap is as long as the dry run and the answer say, and nothing else is heard`()
    async throws
  {
    try await Self.compareGapsOfVersions(pace: .milliseconds(100))
  }

  @Test(.steppedServer(frames: 64, channels: 3))
  func `with short periods each gap is as long as the dry run and the answer say`() async throws {
    try await Self.compareGapsOfVersions(pace: .milliseconds(20))
  }

  /// Applies versions, and compares each gap with what the host says of it.
  private static func compareGapsOfVersions(pace: Duration) async throws {
    let variable = ProcessInfo.processInfo.environment["MULTIROUTE_APPLY_ROUNDS"]
    let rounds = variable.flatMap { Int($0) } ?? 12
    let scratch = try Scratch()
    let server = try steppedServer()
    let sound = [[Float]](repeating: [Float](repeating: Self.level, count: 48_000), count: 3)
    let players = try ["left", "right"].map {
      try Player(sound, loops: true, server: server.name, name: $0)
    }
    for player in players { player.start() }
    var version = Version()
    let path = try scratch.write(version.text, to: "planned.yaml")
    let host = try await HostProcess.running(graph: path, server: server.name, in: scratch)
    let control = try await host.control()
    try await waitUntil("all routes are heard") {
      try await server.step(10).allSatisfy { $0.allSatisfy { $0 > 0 } }
    }
    var random = TestSeed.random()
    var gaps: [Gap] = []
    for _ in 0..<rounds {
      version.change(using: &random)
      gaps += try await Self.gaps(of: version, at: path, control, pace: pace)
    }
    let period = server.periodFrames
    print(
      "\(rounds) versions at \(period) frames: \(gaps.count) pauses, at most "
        + "\(gaps.map { abs($0.recorded - $0.predicted - $0.late) }.max() ?? 0) frames off, "
        + "late by \(gaps.map { $0.late / period })"
    )
    #expect(!gaps.isEmpty)
    for gap in gaps {
      // A fade begins or ends with a zero of its own, and milliseconds are rounded.
      #expect(abs(gap.recorded - gap.predicted - gap.late) <= 2, "\(gap)")
    }
    await control.close()
    _ = try await host.stop()
    for player in players { player.close() }
  }
}
