// SPDX-License-Identifier: MIT

/// A mix with memory of its own, rendered over and over.
///
/// Input noise is the same in every cycle: small enough that no output is limited or denormal.
final class BenchmarkMix {
  private let engine: MixEngine
  private let inputs: PlanarBuffer
  private let outputs: PlanarBuffer
  private let frames: Int

  init(_ spec: MixSpec, frames: Int, sampleRateHz: Double = 48_000) throws(MixError) {
    engine = try MixEngine(spec, configuration: .init(sampleRateHz: sampleRateHz))
    self.frames = frames
    var random = SystemRandomNumberGenerator()
    let noise = (0..<spec.inputChannels).map { _ in
      (0..<frames).map { _ in Float.random(in: -0.01...0.01, using: &random) }
    }
    inputs = PlanarBuffer(noise, channels: spec.inputChannels, frames: frames)
    outputs = PlanarBuffer([], channels: spec.outputChannels, frames: frames)
    run(cycles: 10)
  }

  /// Renders cycles, one after the other.
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
  /// So many strips and routes, with no sends.
  static func grid(strips: Int, routes: Int, channels: Int) -> MixSpec {
    MixSpec(
      strips: (0..<strips).map { StripSpec(id: "\($0)", channels: channels) },
      routes: (0..<routes).map { RouteSpec(id: "\($0)", channels: channels) },
    )
  }

  /// Adds a send at a gain that is neither silence nor unity.
  mutating func addSend(strip: Int, route: Int) {
    sends.append(SendSpec(strip: "\(strip)", route: "\(route)", gainDB: -6))
  }
}
