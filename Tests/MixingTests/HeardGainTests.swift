// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Realtime
import Synchronization
import TestSupport
import Testing

@testable import Mixing

/// The gains at which strips are heard, as control computes them.
@Suite("Heard gains")
struct HeardGainTests {
  private static let mixes = 1_000

  @Test func `in random mixes they are what the renderer plays`() throws {
    var heardCount = 0
    for mix in 0..<Self.mixes {
      let spec = MixSpec.random(seed: TestSeed.derived(number: mix))
      var renderer = try OfflineRenderer(spec, blockFrames: 16)
      // An impulse in a frame of its own for each channel: the output of that frame is the gain.
      let inputs = (0..<spec.inputChannels).map { channel in
        (0..<16).map { $0 == channel ? Float(1) : 0 }
      }
      let outputs = try renderer.render(inputs: inputs, frames: 16)
      var expected: [[Float]] = outputs.map { _ in [Float](repeating: 0, count: inputs.count) }
      for gain in renderer.engine.heardGains() {
        expected[spec.firstOutput(of: gain.route) + gain.output][
          spec.firstInput(of: gain.strip) + gain.input
        ] = gain.linear
      }
      for (output, samples) in outputs.enumerated() {
        for input in inputs.indices {
          let (played, computed) = (samples[input], expected[output][input])
          heardCount += played != 0 ? 1 : 0
          #expect(abs(played - computed) <= 1e-4 * max(1, abs(played)), "mix \(mix)")
        }
      }
    }
    #expect(heardCount > Self.mixes)
  }

  @Test func `the time of ramps is that of the monotonic clock`() {
    func now() -> Duration {
      var time = timespec()
      unsafe clock_gettime(CLOCK_MONOTONIC, &time)
      return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
    for _ in 0..<100 {
      let before = now()
      let read = Duration.nanoseconds(RampBlock.nowNanoseconds())
      let after = now()
      #expect(before <= read && read <= after)
    }
  }

  @Test func `a gain that rises counts as low until its ramp has ended`() throws {
    let engine = try MixEngine(oneToOne(), configuration: .init(sampleRateHz: 48_000))
    func gain() -> Float? { engine.heardGains().first?.linear }
    #expect(gain() == 1)
    try engine.setFader(strip: "in", decibels: -20, fade: .none)
    #expect(gain().map { abs($0 - 0.1) < 1e-6 } == true)
    try engine.setFader(strip: "in", decibels: 0, fade: .seconds(600))
    #expect(gain().map { abs($0 - 0.1) < 1e-6 } == true)
    // It is replaced on its way, so it begins anywhere between the two.
    try engine.setFader(strip: "in", decibels: 6, fade: .none)
    #expect(gain().map { abs($0 - 0.1) < 1e-6 } == true)
    try engine.setMute(strip: "in", isMuted: true)
    #expect(gain() == nil)
    try engine.setMute(strip: "in", isMuted: false, fade: .seconds(600))
    #expect(gain() == nil)
  }

  @Test func `a gain that turns its polarity counts as none on its way`() throws {
    var spec = oneToOne()
    spec.sends[0].matrix = [[0.5]]
    let engine = try MixEngine(spec, configuration: .init(sampleRateHz: 48_000))
    spec.sends[0].matrix = [[-0.5]]
    try engine.apply(spec, fade: .seconds(600))
    #expect(engine.heardGains().isEmpty)
    let turned = try MixEngine(spec, configuration: engine.configuration)
    #expect(turned.heardGains().map(\.linear) == [-0.5])
  }

  @Test func `a gain that rises in one step counts at once`() throws {
    var spec = oneToOne()
    spec.strips[0].faderDB = -20
    let engine = try MixEngine(spec, configuration: .init(sampleRateHz: 48_000))
    try engine.setFader(strip: "in", decibels: 0, fade: .none)
    #expect(engine.heardGains().map(\.linear) == [1])
  }

  @Test func `a send that comes counts as none until its ramp has ended`() throws {
    var spec = oneToOne()
    spec.sends = []
    let engine = try MixEngine(spec, configuration: .init(sampleRateHz: 48_000))
    try engine.setSend(strip: "in", route: "out", decibels: 0, fade: .seconds(600))
    #expect(engine.heardGains().isEmpty)
  }

  @Test func `a ramp counts for its time and a margin of 100 ms, and a step for none`() {
    let hour: UInt64 = 3_600_000_000_000
    let margin: UInt64 = 100_000_000
    for frames in [0, 1, 2] as [UInt32] {
      let ramps = RampBlock(groupID: 1, values: [0.25])
      let time = RampTime(frames: frames, shape: .linear, nanoseconds: hour)
      let before = RampBlock.nowNanoseconds()
      _ = ramps.retarget(0, to: 1, by: time)
      let after = RampBlock.nowNanoseconds()
      func smallest(_ nanoseconds: UInt64) -> Float {
        ramps.smallest(0, atNanoseconds: nanoseconds)
      }
      let moving: Float = frames == 0 ? 1 : 0.25
      #expect(smallest(after) == moving)
      #expect(smallest(before + hour + margin - 1) == moving)
      #expect(smallest(after + hour + margin) == 1)
      // A shorter one that replaces it ends no sooner.
      _ = ramps.retarget(0, to: 2, by: RampTime(frames: 0, shape: .linear, nanoseconds: 0))
      #expect(smallest(before + hour) == (frames == 0 ? 2 : 0.25))
    }
  }

  @Test func `the clock of the ramps is the system's monotonic one`() {
    for _ in 0..<2_000 {
      let before = DispatchTime.now().uptimeNanoseconds
      let now = RampBlock.nowNanoseconds()
      #expect((before...DispatchTime.now().uptimeNanoseconds).contains(now))
    }
  }

  @Test func `a gain that falls counts as low at once, and every change is reported`() throws {
    let engine = try MixEngine(oneToOne(), configuration: .init(sampleRateHz: 48_000))
    let changes = Counter()
    engine.whenChanged { changes.count() }
    try engine.setRouteGain(route: "out", decibels: -.infinity, fade: .seconds(600))
    #expect(engine.heardGains().isEmpty)
    #expect(changes.value == 1)
  }
}

/// Counts calls.
final class Counter: Sendable {
  private let cell = Atomic<Int>(0)
  var value: Int { cell.load(ordering: .relaxed) }
  func count() { cell.add(1, ordering: .relaxed) }
}

extension MixSpec {
  fileprivate func firstInput(of id: String) -> Int {
    strips.prefix { $0.id != id }.reduce(0) { $0 + $1.channels }
  }

  fileprivate func firstOutput(of id: String) -> Int {
    routes.prefix { $0.id != id }.reduce(0) { $0 + $1.channels }
  }
}
