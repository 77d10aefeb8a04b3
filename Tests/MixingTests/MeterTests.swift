// SPDX-License-Identifier: MIT

import Foundation
import Realtime
import Testing

@testable import Mixing

@Suite("Meters")
struct MeterTests {
  @Test("a sine of amplitude 0.5 reads −6 dB and −9 dB on strip and route")
  func sine() throws {
    var renderer = try OfflineRenderer(oneToOne())
    let sine = (0..<96_000).map { Float(0.5 * sin(Double($0) * 2 * .pi * 1000 / 48_000)) }
    _ = try renderer.render(inputs: [sine], frames: sine.count)
    let meters = renderer.engine.meters()
    let strip = meters.strips[0]
    for reading in [strip.pre[0], strip.post[0], meters.routes[0].channels[0]] {
      #expect(abs(reading.peakDB + 6.0206) < 0.01)
      #expect(abs(reading.rmsDB + 9.0309) < 0.05)
    }
    #expect(renderer.engine.meters().routes[0].channels[0].peakLinear == 0)
  }

  @Test("the mean square follows within 300 ms, at any block size", arguments: [16, 64, 480, 4800])
  func integration(block: Int) throws {
    var renderer = try OfflineRenderer(oneToOne(), blockFrames: block)
    _ = try renderer.render(inputs: [constant(1, 14_400)], frames: 14_400)
    let rms = renderer.engine.meters().routes[0].channels[0].rmsLinear
    #expect(abs(rms * rms - Float(1 - exp(-1.0))) < 0.01)
  }

  @Test("a block takes its share of the integration time, within 1 % up to a whole one")
  func share() {
    for rate in [8_000, 48_000, 192_000] as [Double] {
      let smoothing = MeterSmoothing(sampleRateHz: rate)
      for frames in [1, 16, 64, 480, 1_024, 2_400] {
        let time = Double(frames) / rate / 0.3
        let share = Double(smoothing.share(frames: frames))
        #expect(abs(share / (1 - exp(-time)) - 1) < 0.01, "\(frames) frames at \(rate) Hz")
      }
    }
  }

  @Test("strips read before and behind the fader, routes what goes out behind the limiter")
  func places() throws {
    var spec = oneToOne()
    spec.strips[0].faderDB = 12
    spec.routes[0].limiter = LimiterSpec(ceilingDB: -6)
    var renderer = try OfflineRenderer(spec)
    _ = try renderer.render(inputs: [constant(0.8, 1000)], frames: 1000)
    let meters = renderer.engine.meters()
    #expect(meters.strips[0].pre[0].peakLinear == 0.8)
    #expect(meters.strips[0].post[0].peakLinear == 0.8 * Decibels.linear(fromDB: 12))
    #expect(meters.routes[0].channels[0].peakLinear == Decibels.linear(fromDB: -6))
  }

  @Test("a strip without an open send is silent behind its fader, and heard by nobody")
  func unheard() throws {
    var renderer = try OfflineRenderer(oneToOne())
    let engine = renderer.engine
    engine.watchLevels(true)
    _ = try renderer.render(inputs: [constant(1, 10_000)], frames: 10_000)
    #expect(engine.meters().strips[0].isHeard)
    try engine.setGate(strip: "in", isOpen: false)
    _ = try renderer.render(inputs: [constant(1, 1000)], frames: 1000)
    _ = engine.meters()
    _ = try renderer.render(inputs: [constant(1, 48_000)], frames: 48_000)
    let meters = engine.meters()
    #expect(meters.strips[0].post[0].peakLinear == 0)
    #expect(meters.strips[0].post[0].rmsLinear < 0.2)
    #expect(meters.strips[0].pre[0].peakLinear == 1)
    #expect(abs(meters.strips[0].pre[0].rmsLinear - 1) < 0.01)
    #expect(!meters.strips[0].isHeard)
    #expect(meters.routes[0].channels[0].peakLinear == 0)
    #expect(meters.routes[0].channels[0].rmsLinear < 0.2)
  }

  @Test(
    "a route's meters fall to silence, whichever of its channels was heard last",
    arguments: 0..<3
  )
  func fall(channel: Int) throws {
    var spec = oneToOne(channels: 3)
    spec.routes[0].limiter = LimiterSpec(lookaheadFrames: 64)
    var renderer = try OfflineRenderer(spec)
    let inputs = (0..<3).map { constant($0 == channel ? 0.5 : 0, 9_600) }
    _ = try renderer.render(inputs: inputs, frames: 9_600)
    #expect(renderer.engine.meters().routes[0].channels[channel].rmsLinear > 0.1)
    _ = try renderer.render(inputs: [], frames: 64)
    try renderer.engine.setRouteGain(route: "out", decibels: -.infinity)
    _ = try renderer.render(inputs: [], frames: 480_000)
    _ = renderer.engine.meters()
    _ = try renderer.render(inputs: [], frames: 64)
    for reading in renderer.engine.meters().routes[0].channels {
      #expect(reading.peakLinear == 0 && reading.rmsLinear < 1e-6)
    }
  }

  /// A way to make a strip inaudible.
  enum Silencer: CaseIterable {
    case fader, mute, crossfader, duck, gate, solo, send

    func silence(_ spec: inout MixSpec) {
      switch self {
      case .fader: spec.strips[0].faderDB = -.infinity
      case .mute: spec.strips[0].isMuted = true
      case .crossfader:
        spec.strips[0].crossfaderSide = .a
        spec.crossfader.position = 1
      case .duck: spec.strips[0].duckDB = -.infinity
      case .gate: spec.strips[0].isGated = true
      case .solo:
        spec.strips.append(StripSpec(id: "other", channels: 1, isSoloed: true))
      case .send: spec.sends[0].gainDB = -.infinity
      }
    }
  }

  @Test("a sine is read before all that silences its strip", arguments: Silencer.allCases)
  func silenced(by silencer: Silencer) throws {
    var spec = oneToOne()
    silencer.silence(&spec)
    var renderer = try OfflineRenderer(spec, blockFrames: 96)
    renderer.engine.watchLevels(true)
    let sine = (0..<96_000).map { Float(0.5 * sin(Double($0) * 2 * .pi * 1000 / 48_000)) }
    _ = try renderer.render(inputs: [sine], frames: sine.count)
    let strip = renderer.engine.meters().strips[0]
    #expect(strip.pre[0].peakLinear == sine.max())
    #expect(abs(strip.pre[0].rmsDB + 9.0309) < 0.05)
    #expect(strip.post[0] == MeterReading(peakLinear: 0, rmsLinear: 0))
    #expect(!strip.isHeard)
  }

  @Test("behind the fader, a level is the level before it times all gains of the strip")
  func gains() throws {
    var spec = oneToOne(channels: 2)
    spec.strips[0].faderDB = -6
    spec.strips[0].duckDB = -14
    spec.strips[0].crossfaderSide = .b
    var renderer = try OfflineRenderer(spec)
    let inputs = [constant(0.8, 96_000), constant(-0.4, 96_000)]
    let output = try renderer.render(inputs: inputs, frames: 96_000)
    let strip = renderer.engine.meters().strips[0]
    for channel in 0..<2 {
      let heard = try #require(output[channel].last)
      #expect(abs(strip.post[channel].peakLinear - abs(heard)) < 1e-6)
      #expect(abs(strip.post[channel].rmsLinear / abs(heard) - 1) < 0.01)
      #expect(strip.pre[channel].peakLinear == abs(inputs[channel][0]))
    }
  }

  @Test("a strip that only the cue hears is heard, and silent behind its fader")
  func cued() throws {
    var spec = oneToOne()
    spec.strips[0].faderDB = -.infinity
    spec.strips[0].isCued = true
    spec.routes[0].receivesCue = true
    var renderer = try OfflineRenderer(spec)
    _ = try renderer.render(inputs: [constant(0.5, 4_800)], frames: 4_800)
    let engine = renderer.engine
    let strip = engine.meters().strips[0]
    #expect(strip.isHeard && strip.pre[0].peakLinear == 0.5 && strip.post[0].peakLinear == 0)
    #expect(engine.takeSounded(strips: ["in"]))
  }

  @Test("an input that nobody hears is read only while somebody watches")
  func watching() throws {
    var spec = oneToOne()
    spec.strips[0].isMuted = true
    var renderer = try OfflineRenderer(spec)
    let engine = renderer.engine
    func pre() throws -> Float {
      _ = try renderer.render(inputs: [constant(0.5, 4_800)], frames: 4_800)
      return engine.meters().strips[0].pre[0].peakLinear
    }
    #expect(try pre() == 0)
    engine.watchLevels(true)
    #expect(try pre() == 0.5)
    // A new plan is watched, too.
    spec.strips.append(StripSpec(id: "other", channels: 1))
    try engine.apply(spec)
    #expect(try pre() == 0.5)
    let before = engine.meters().strips[0].pre[0].rmsLinear
    engine.watchLevels(false)
    #expect(try pre() == 0)
    let after = engine.meters().strips[0].pre[0].rmsLinear
    #expect(after > 0 && after < before && before < 0.5)
  }

  @Test("a fade is metered as it goes", arguments: [16, 64, 480])
  func fade(block: Int) throws {
    var renderer = try OfflineRenderer(oneToOne(), blockFrames: block)
    let engine = renderer.engine
    engine.watchLevels(true)
    _ = try renderer.render(inputs: [constant(1, 4_800)], frames: 4_800)
    try engine.setFader(strip: "in", decibels: -20, fade: .frames(4_800, shape: .linear))
    _ = try renderer.render(inputs: [constant(1, 2_400)], frames: 2_400)
    _ = engine.meters()
    let output = try renderer.render(inputs: [constant(1, 2_400)], frames: 2_400)
    let during = engine.meters().strips[0]
    #expect(abs(during.post[0].peakLinear - output[0][block - 1]) < 0.01)
    #expect(during.pre[0].peakLinear == 1)
    _ = try renderer.render(inputs: [constant(1, 480)], frames: 480)
    let after = engine.meters().strips[0]
    #expect(abs(after.post[0].peakLinear - 0.1) < 1e-6 && after.pre[0].peakLinear == 1)
  }

  @Test(
    "every frame of a cycle in which gains move is metered, and limited",
    arguments: [3, 100, 200]
  )
  func movingPeak(frame: Int) throws {
    var spec = oneToOne()
    spec.routes[0].limiter = LimiterSpec(ceilingDB: -6)
    var input = constant(0, 256)
    input[frame] = 0.8
    for ceiling in [0.0, -6] {
      spec.routes[0].limiter?.ceilingDB = ceiling
      var renderer = try OfflineRenderer(spec, blockFrames: 256)
      let engine = renderer.engine
      try engine.setFader(strip: "in", decibels: -0.1, fade: .frames(10_000))
      let output = try renderer.render(inputs: [input], frames: 256)[0]
      let peak = engine.meters().routes[0].channels[0].peakLinear
      #expect(peak == output[frame])
      #expect(abs(peak - min(0.8, Decibels.linear(fromDB: ceiling))) < 0.001)
    }
  }

  @Test(
    "a cycle in which a sound ends is metered with all of its frames",
    arguments: [1, 2, 15, 16, 17, 100],
    [16, 64, 256],
  )
  func endingPeak(length: Int, block: Int) throws {
    var renderer = try OfflineRenderer(oneToOne(), blockFrames: block)
    let engine = renderer.engine
    let fade = Fade.frames(length, shape: .linear)
    try engine.setFader(strip: "in", decibels: -.infinity, fade: fade)
    let output = try renderer.render(inputs: [constant(0.8, 512)], frames: 512)[0]
    #expect(output[0] == 0.8 && output[length...].allSatisfy { $0 == 0 })
    #expect(engine.meters().routes[0].channels[0].peakLinear == 0.8)
  }

  @Test("a sound that ends is metered, also while another gain moves on", arguments: [1, 2, 32])
  func endingBesideAnother(length: Int) throws {
    let names = ["ending", "moving"]
    var renderer = try OfflineRenderer(
      MixSpec(
        strips: names.map { StripSpec(id: $0, channels: 1) },
        routes: names.map { RouteSpec(id: $0, channels: 1) },
        sends: names.map { SendSpec(strip: $0, route: $0) },
      ),
      blockFrames: 256,
    )
    let engine = renderer.engine
    try engine.setFader(strip: "ending", decibels: -.infinity, fade: .frames(length))
    try engine.setFader(strip: "moving", decibels: -20, fade: .frames(1_000))
    let inputs = [constant(0.8, 256), constant(0.5, 256)]
    let outputs = try renderer.render(inputs: inputs, frames: 256)
    #expect(outputs[0][0] == 0.8 && outputs[0][length...].allSatisfy { $0 == 0 })
    #expect(engine.meters().routes.map(\.channels[0].peakLinear) == [0.8, 0.5])
  }

  @Test("a cycle without frames leaves the meters as they are")
  func noFrames() throws {
    let engine = try OfflineRenderer(oneToOne()).engine
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 128)
    unsafe memory.initialize(repeating: 0.5, count: 128)
    defer { unsafe memory.deallocate() }
    func play(_ frames: Int) -> [MeterReading] {
      unsafe engine.renderer.render(
        inputs: [UnsafePointer(memory)],
        outputs: [memory + 64],
        frames: frames,
        atFrame: 0,
      )
      let meters = engine.meters()
      return meters.strips[0].pre + meters.strips[0].post + meters.routes[0].channels
    }
    let before = play(64).map(\.rmsLinear)
    #expect(before.allSatisfy { $0 > 0 })
    let after = play(0)
    #expect(after.map(\.rmsLinear) == before && after.allSatisfy { $0.peakLinear == 0 })
  }

  @Test("an input without memory reads as silence")
  func missing() throws {
    let engine = try OfflineRenderer(oneToOne(channels: 2)).engine
    engine.watchLevels(true)
    let missing = unsafe [UnsafePointer<Float>?](repeating: nil, count: 2)
    let skipped = unsafe [UnsafeMutablePointer<Float>?](repeating: nil, count: 2)
    for cycle in 0..<4 as Range<UInt64> {
      unsafe engine.renderer.render(
        inputs: missing,
        outputs: skipped,
        frames: 64,
        atFrame: 64 * cycle,
      )
    }
    let meters = engine.meters()
    let silence = MeterReading(peakLinear: 0, rmsLinear: 0)
    #expect(meters.strips[0].pre == [silence, silence])
    #expect(meters.strips[0].post == [silence, silence])
    #expect(meters.routes[0].channels == [silence, silence])
    #expect(!engine.takeSounded(strips: ["in"]))
    #expect(engine.inputFaults().isEmpty)
  }

  @Test("the tap that displays show is that of the strip")
  func tap() throws {
    var spec = oneToOne()
    spec.strips[0].meterTap = .pre
    let engine = try OfflineRenderer(spec).engine
    #expect(engine.meters().strips.map(\.tap) == [.pre])
    spec.strips[0].meterTap = .post
    try engine.apply(spec)
    #expect(engine.meters().strips.map(\.tap) == [.post])
  }
}
