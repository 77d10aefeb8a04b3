// SPDX-License-Identifier: MIT

import TestSupport

/// Texts of random valid graphs of one host.
struct RandomGraph {
  private var random: SeededRandom

  /// Makes a generator; the same seed gives the same graphs.
  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  /// The text of the next graph.
  mutating func next() -> String {
    let routes = ["main", "phones", "booth"].filter { _ in chance(70) }
    let sources = ["deck", "mic", "noise", "click", "player"].filter { _ in chance(70) }
    let routeNames = routes.isEmpty ? ["main"] : routes
    var free = Array((1...4).shuffled(using: &random))
    let routeLines = routeNames.map { "  \($0): \(route(&free))" }
    var text = """
      multiroute: 1
      name: house
      ramp: \(pick(["0 ms", "2 ms", "5 ms"]))
      session: {category: multiRoute, options: [mixWithOthers]}
      tower: {duck: {gain: \(pick(["-10 dB", "-14 dB"]))}}
      routes:
      \(routeLines.joined(separator: "\n"))

      """
    guard !sources.isEmpty else { return text }
    text += "sources:\n" + sources.map { "  \($0): \(source())\n" }.joined()
    let sends = sources.flatMap { source in
      routeNames.filter { _ in chance(50) }.map { "  - {from: \(source), to: \($0)\(levels())}\n" }
    }
    if !sends.isEmpty { text += "mix:\n" + sends.joined() }
    if sources.count > 1, chance(40) {
      text += "controls:\n  crossfader: {a: \(sources[0]), b: \(sources[1])"
      text += ", position: \(pick(["-1", "0", "0.5"]))}\n"
      if chance(50) { text += "  cue: {to: \(pick(routeNames)), sources: [\(pick(sources))]}\n" }
    }
    return text
  }

  private mutating func route(_ free: inout [Int]) -> String {
    // Each port is in one route, and three routes may come.
    let ports = free.prefix(free.count > 3 && chance(50) ? 2 : 1)
    free.removeFirst(ports.count)
    let list = ports.map { "system:playback_\($0)" }.joined(separator: ", ")
    let type = pick(["lineOut", "headphones"])
    let limiter = chance(20) ? ", limiter: {ceiling: -2 dB}" : ""
    return "{type: \(type), ports: [\(list)]\(levels())\(limiter)}"
  }

  private mutating func source() -> String {
    let kind = pick([
      "tone: {wave: sine}", "tone: {wave: pinkNoise}", "tone: {wave: sine, frequency: 200 Hz}",
      "input: true", "ports: [player:out_1]", "ports: [player:out_1, player:out_2]",
    ])
    let channels =
      kind.hasPrefix("ports") || chance(40) ? "" : ", channels: \(pick(["1", "2"]))"
    let session =
      chance(20) ? ", session: {category: playback, options: [mixWithOthers]}" : ""
    let label = chance(20) ? ", label: \(pick(["Left", "Right"]))" : ""
    return "{\(kind)\(channels)\(levels())\(session)\(label)}"
  }

  private mutating func levels() -> String {
    (chance(40) ? ", gain: \(pick(["-3 dB", "-6 dB", "2 dB"]))" : "")
      + (chance(20) ? ", mute: true" : "")
  }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }

  private mutating func pick(_ choices: [String]) -> String {
    choices[Int.random(in: choices.indices, using: &random)]
  }
}
