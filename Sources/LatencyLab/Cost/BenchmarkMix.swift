// SPDX-License-Identifier: MIT

import Mixing

/// A mix with its own input and output memory, rendered without JACK.
///
/// The inputs are the same noise in every cycle, quiet enough that no limiter acts, loud enough that no sample is denormal.
/// Belongs to the control thread that measures.
final class BenchmarkMix {
  private let engine: MixEngine
  private let inputs: PlanarBuffer
  private let outputs: PlanarBuffer
  private let frames: Int

  /// Allocates the mix and renders ten cycles, so that first-use costs are paid.
  ///
  /// - Parameters:
  ///   - spec: The mix.
  ///   - frames: Frames in a cycle.
  ///   - sampleRateHz: Frames in a second.
  ///   - watchesLevels: Whether somebody watches its levels.
  ///   - line: The cache line at which inputs, and then outputs, begin in their memory.
  /// - Throws: `MixError` when the specification is not valid.
  init(
    _ spec: MixSpec,
    frames: Int,
    sampleRateHz: Double = 48_000,
    watchesLevels: Bool = false,
    line: () -> Int = { 0 },
  ) throws(MixError) {
    engine = try MixEngine(spec, configuration: .init(sampleRateHz: sampleRateHz))
    engine.watchLevels(watchesLevels)
    self.frames = frames
    var random = SeededGenerator(seed: 1)
    let noise = (0..<spec.inputChannels).map { _ in
      (0..<frames).map { _ in Float.random(in: -0.01...0.01, using: &random) }
    }
    inputs = PlanarBuffer(noise, channels: spec.inputChannels, frames: frames, line: line())
    outputs = PlanarBuffer([], channels: spec.outputChannels, frames: frames, line: line())
    run(cycles: 10)
  }

  /// Renders a number of cycles, one after the other.
  func run(cycles: Int) {
    let sources = unsafe inputs.readable(from: 0)
    let targets = unsafe outputs.writable(from: 0)
    let renderer = engine.renderer
    for _ in 0..<cycles {
      unsafe renderer.render(inputs: sources, outputs: targets, frames: frames, atFrame: 0)
    }
  }
}

extension MixSpec {
  /// A number of strips and routes without sends.
  static func grid(strips: Int, routes: Int, channels: Int) -> MixSpec {
    MixSpec(
      strips: (0..<strips).map { StripSpec(id: "\($0)", channels: channels) },
      routes: (0..<routes).map { RouteSpec(id: "\($0)", channels: channels) },
    )
  }

  /// Adds a send at -6 dB, which is neither silence nor unity.
  mutating func addSend(strip: Int, route: Int) {
    sends.append(SendSpec(strip: "\(strip)", route: "\(route)", gainDB: -6))
  }
}
