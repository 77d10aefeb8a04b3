// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import TestSupport
import Testing

@testable import EndToEndSupport

/// Versions of a graph, one after the other, on a real server: what stays loses no sample, and what changes does not click.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct ApplyTests {
  /// The versions; `MULTIROUTE_APPLY_ROUNDS=1000` for more of them.
  private static let rounds =
    ProcessInfo.processInfo.environment["MULTIROUTE_APPLY_ROUNDS"].flatMap(Int.init) ?? 25

  /// The text of the next version: one source plays to `main` in each, now and then under another name, and all else comes
  /// and goes around it.
  ///
  /// - Parameters:
  ///   - random: Chooses.
  ///   - steady: The name of that source; another one after a rename.
  /// - Returns: The text.
  private static func graph(_ random: inout SeededRandom, steady: inout String) -> String {
    func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
    func gain() -> String { ["0", "-3", "-9", "-20"].randomElement(using: &random) ?? "0" }
    let tones = ["one", "two", "three"].filter { _ in chance(60) }
    let port = chance(50) ? "system:playback_2" : "system:playback_3"
    var text = """
      multiroute: 1
      server: {start: never}
      ramp: \(chance(50) ? 5 : 10) ms
      session: {category: multiRoute, options: [mixWithOthers]}
      routes:
        main: {type: lineOut, ports: [system:playback_1]}
        other: {type: headphones, ports: [\(port)], gain: \(gain()) dB}

      """
    if chance(50) { text += "  third: {type: HDMI, ports: [system:playback_4]}\n" }
    let former = steady
    if chance(20) { steady = steady == "steady" ? "calm" : "steady" }
    let was = steady == former ? "" : ", was: \(former)"
    text += "sources:\n  \(steady): {ports: [signal:out_1]\(was)}\n"
    for tone in tones {
      let frequency = chance(50) ? 110 : 170
      text +=
        "  \(tone): {tone: {frequency: \(frequency) Hz, level: -20 dB}, gain: \(gain()) dB}\n"
    }
    text += "mix:\n  - {from: \(steady), to: main}\n"
    for tone in tones where chance(80) { text += "  - {from: \(tone), to: other}\n" }
    if chance(30) { text += "controls: {midi: {}}\n" }
    if chance(30) { text += "surfaces: {osc: {port: 0}}\n" }
    return text
  }

  /// The text of a version with that source alone.
  private static func plainGraph(steady: String) -> String {
    """
    multiroute: 1
    server: {start: never}
    session: {category: multiRoute, options: [mixWithOthers]}
    routes:
      main: {type: lineOut, ports: [system:playback_1]}
      other: {type: headphones, ports: [system:playback_2]}
    sources:
      \(steady): {ports: [signal:out_1]}
    mix:
      - {from: \(steady), to: main}

    """
  }

  /// The descriptors, the memory and the ports of a host.
  private struct Holdings {
    let descriptors: Int
    let residentBytes: Int
    let ports: Int
  }

  /// Goes over to the plain version, and counts; where a count was before, once the descriptors are back at it.
  private static func holdings(
    of host: HostProcess,
    _ client: ControlClient,
    steady: String,
    before: Holdings?,
  ) async throws -> Holdings {
    _ = try await client.call(ApplyGraph.self, .init(text: plainGraph(steady: steady)))
    let folder = "/proc/\(host.child.pid)/fd"
    let descriptors = { try FileManager.default.contentsOfDirectory(atPath: folder).count }
    if let before {
      // Sockets of what the version before had are still being closed when it has been answered.
      try await waitUntil("the host has \(before.descriptors) descriptors again") {
        try descriptors() <= before.descriptors
      }
    }
    return Holdings(
      descriptors: try descriptors(),
      residentBytes: try #require(host.residentBytes),
      ports: try await client.call(ListPatch.self).ports.count(where: \.isHost),
    )
  }

  @Test(.steppedServer(channels: 4))
  func `a strip of all versions loses no sample, and nothing clicks`() async throws {
    let scratch = try Scratch()
    let server = try testServer().name
    var random = TestSeed.random()
    var name = "steady"
    let path = try scratch.write(Self.graph(&random, steady: &name), to: "live.yaml")
    // Each sample tells its place.
    let signal = (0..<9_973).map { Float($0 + 1) / 16_384 }
    let player = try Player([signal], loops: true, server: server, name: "signal")
    defer { player.close() }
    let host = try await HostProcess.running(graph: path, server: server, in: scratch)
    player.start()
    let client = try await host.control(role: .user)
    // Two seconds for each version; more would be seen below.
    let capacity = (Self.rounds + 4) * 96_000
    let recorder = try Recorder(
      from: [host.port("main_out_1"), host.port("other_out_1")],
      capacityFrames: capacity,
      server: server,
    )
    defer { recorder.close() }
    try await recorder.pass(4_800)
    recorder.start()
    var held: [Holdings] = []
    for round in 0..<Self.rounds {
      let text = Self.graph(&random, steady: &name)
      _ = try await client.call(ApplyGraph.self, .init(path: path, text: text))
      try await recorder.pass(2_400)
      if round == Self.rounds / 2 || round == Self.rounds - 1 {
        let holdings = try await Self.holdings(of: host, client, steady: name, before: held.last)
        held.append(holdings)
      }
    }
    let recording = recorder.captured
    await client.close()
    let (middle, end) = (try #require(held.first), try #require(held.last))
    print("\(Self.rounds) versions: after half of them \(middle), at the end \(end)")
    #expect(end.ports == middle.ports)
    // Pages that the system keeps for later come and go; 1,000 versions that lose 4 KiB each are seen.
    #expect(end.residentBytes - middle.residentBytes < 2 << 20)
    #expect(recording.isContinuous)
    let steady = recording.channels[0]
    #expect(steady.count < capacity, "the last versions are not recorded")
    let first = try #require(signal.firstIndex(of: steady[0]), "the strip is not heard")
    let wrong = steady.indices.first { steady[$0] != signal[(first + $0) % signal.count] }
    #expect(wrong == nil, "sample \(wrong ?? 0) of \(steady.count) is another one")
    let other = recording.channels[1]
    // Three tones of 0.1 at 170 Hz move by 0.0067 a sample, and a ramp of 5 ms adds 0.0013.
    let steps = zip(other, other.dropFirst()).map { abs($0 - $1) }
    let clicks = steps.indices.filter { steps[$0] >= 0.009 }
    #expect(clicks.isEmpty, "steps at \(clicks.prefix(20)) of \(other.count)")
  }
}
