// SPDX-License-Identifier: MIT

import AudioFiles
import TestSupport

/// Graphs and programs of the tests of inter-app audio.
extension Scratch {
  /// Starts a shipped node, as a program of its own.
  func node(_ kind: String, _ server: String, _ more: String...) throws -> Child {
    try Child(
      Multiroute.path(),
      ["node", "run", kind, "--server", server] + more,
      environment: hostEnvironment,
      in: self,
    )
  }

  /// A host with a source `sound` on one route.
  func soundGraph(source: String, more: String = "") throws -> String {
    try write(
      """
      multiroute: 1
      session: {category: multiRoute, options: [mixWithOthers]}
      routes:
        main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
      sources:
        sound: \(source)
      mix: [{from: sound, to: main}]
      \(more)
      """,
      to: "control.yaml",
    )
  }

  /// A host with the effect `fx1` on a strip.
  func effectGraph(options: String = "mixWithOthers") throws -> String {
    try write(
      """
      multiroute: 1
      session: {category: multiRoute, options: [\(options)]}
      routes:
        main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
      sources:
        tone: {tone: {}, channels: 2, inserts: [fx1]}
      mix: [{from: tone, to: main}]
      """,
      to: "access.yaml",
    )
  }

  /// A host that plays noise through the effects `fx1` … of a strip, and `post` on its route.
  func noiseGraph(effects: Int, route: Bool = false, restart: String = "never") throws -> String {
    let noise = [Signals.noise(48_000, seed: 1), Signals.noise(48_000, seed: 2)]
    try write(noise, to: "noise.wav", format: .wavFloat32)
    let inserts = (1...max(1, effects)).map { "{name: fx\($0), restart: \(restart)}" }
      .prefix(effects).joined(separator: ", ")
    return try write(
      """
      multiroute: 1
      session: {category: multiRoute, options: [mixWithOthers]}
      routes:
        main:
          type: lineOut
          ports: [system:playback_1, system:playback_2]
          inserts: [\(route ? "post" : "")]
      sources:
        noise: {file: noise.wav, loop: true, inserts: [\(inserts)]}
      mix: [{from: noise, to: main}]
      """,
      to: "nodes.yaml",
    )
  }
}
