// SPDX-License-Identifier: MIT

import Mixing
import Realtime
import Testing

@Suite("Samples that are no sound")
struct NonFiniteTests {
  @Test(
    "come out as silence and stick nowhere",
    arguments: [Float.nan, .infinity, -.infinity, .signalingNaN],
    [nil, LimiterSpec(), LimiterSpec(lookaheadFrames: 20)],
  )
  func policy(sample: Float, limiter: LimiterSpec?) throws {
    for position in [0, 5, 63, 64, 99] {
      var spec = oneToOne(channels: 2)
      spec.routes[0].limiter = limiter
      var renderer = try OfflineRenderer(spec, blockFrames: 100)
      var left = constant(0.5, 1000)
      left[position] = sample
      let output = try renderer.render(inputs: [left, constant(0.25, 1000)], frames: 1000)
      let delay = limiter?.lookaheadFrames ?? 0
      for frame in delay..<1000 {
        #expect(output[0][frame] == (frame - delay == position ? 0 : 0.5))
        #expect(output[1][frame] == 0.25)
      }
      let meters = renderer.engine.meters()
      let strip = meters.strips[0]
      for reading in strip.pre + strip.post + meters.routes[0].channels {
        #expect(reading.rmsLinear.isFinite && reading.peakLinear.isFinite)
        #expect(reading.rmsLinear > 0)
      }
    }
  }

  @Test("a closed gate keeps them out")
  func gated() throws {
    var spec = oneToOne()
    spec.strips[0].isGated = true
    var renderer = try OfflineRenderer(spec)
    let output = try renderer.render(inputs: [constant(.nan, 500)], frames: 500)[0]
    #expect(output.allSatisfy { $0 == 0 })
  }

  @Test("a clamped and a silenced sample are counted for their strip")
  func faults() throws {
    var renderer = try OfflineRenderer(oneToOne())
    let input: [Float] = [0.5, 16, 17, -999, 1000, -3e38, .nan, -.infinity, 0.25]
    let output = try renderer.render(inputs: [input], frames: 9)[0]
    #expect(output == [0.5, 16, 16, -16, 0, 0, 0, 0, 0.25])
    #expect(
      renderer.engine.inputFaults() == ["in": InputFaults(silencedSamples: 4, clampedSamples: 2)]
    )
    #expect(renderer.engine.meters().strips[0].pre[0].peakLinear == 16)
  }

  @Test("a cycle of up to 8,192 frames is cleaned sample by sample, a longer one is silenced")
  func longCycles() throws {
    for (frames, isCleaned) in [(8_191, true), (8_192, true), (8_193, false)] {
      var renderer = try OfflineRenderer(oneToOne(), blockFrames: frames)
      var input = constant(0.5, frames)
      input[7] = .nan
      let output = try renderer.render(inputs: [input], frames: frames)[0]
      #expect(output == input.map { isCleaned && $0.isFinite ? 0.5 : 0 })
      let silenced = isCleaned ? 1 : UInt64(frames)
      let pre = renderer.engine.meters().strips[0].pre[0]
      #expect(isCleaned ? pre.rmsLinear > 0 : pre == MeterReading(peakLinear: 0, rmsLinear: 0))
      #expect(
        renderer.engine.inputFaults()
          == ["in": InputFaults(silencedSamples: silenced, clampedSamples: 0)]
      )
    }
  }

  @Test("sixteen inputs of a cycle are cleaned sample by sample, further ones are silenced")
  func manyInputs() throws {
    var renderer = try OfflineRenderer(oneToOne(channels: 17))
    // Each input has samples of its own, because all clean copies come from the same memory.
    let inputs = (1...17).map { [Float($0) / 32, .nan, 0.25, -40] }
    let outputs = try renderer.render(inputs: inputs, frames: 4)
    let cleaned = zip(inputs, outputs).filter { input, output in
      output == [input[0], 0, 0.25, -16]
    }
    #expect(cleaned.count == 16)
    #expect(outputs.filter { $0 == [0, 0, 0, 0] }.count == 1)
    #expect(
      renderer.engine.inputFaults()
        == ["in": InputFaults(silencedSamples: 20, clampedSamples: 16)]
    )
    let peaks = renderer.engine.meters().strips[0].pre.map(\.peakLinear)
    #expect(peaks.sorted() == [0] + constant(16, 16))
  }

  @Test("a faulty input takes no room from clean ones")
  func cleanInputs() throws {
    var renderer = try OfflineRenderer(oneToOne(channels: 20))
    let good = noise(1, 64)
    var bad = good
    bad[3] = .infinity
    let inputs = (0..<20).map { $0 == 19 ? bad : good }
    let outputs = try renderer.render(inputs: inputs, frames: 64)
    bad[3] = 0
    #expect(outputs == (0..<20).map { $0 == 19 ? bad : good })
    #expect(
      renderer.engine.inputFaults() == ["in": InputFaults(silencedSamples: 1, clampedSamples: 0)]
    )
  }

  @Test("an input that nobody hears counts nothing, also while other gains step")
  func unheard() throws {
    var spec = twoToOne()
    spec.strips[1].isGated = true
    var renderer = try OfflineRenderer(spec)
    let output = try renderer.render(
      inputs: [constant(0.5, 640), constant(.nan, 640)],
      frames: 640,
      changes: [
        .init(atFrame: 100) { try $0.setFader(strip: "good", decibels: -6, fade: .none) },
        .init(atFrame: 300) { try $0.setFader(strip: "good", decibels: 0, fade: .frames(1)) },
      ],
    )[0]
    #expect(output[99] == 0.5 && output[100] < 0.5 && output[301...].allSatisfy { $0 == 0.5 })
    #expect(renderer.engine.inputFaults().isEmpty)
  }

  @Test("a block is cleaned in place as an input is")
  func inPlace() {
    for (input, expected, faults): ([Float], [Float], InputFaults) in [
      ([0.5, 16, -16], [0.5, 16, -16], InputFaults()),
      (
        [17, -999, 1_000, .infinity, 0.25], [16, -16, 0, 0, 0.25],
        InputFaults(silencedSamples: 2, clampedSamples: 2)
      ),
    ] {
      var block = input
      let found = unsafe block.withUnsafeMutableBufferPointer { samples in
        unsafe samples.baseAddress.map { unsafe InputFaults.clean($0, frames: samples.count) }
      }
      #expect(block == expected && found == faults)
    }
  }

  @Test("a clean input is heard bit by bit, and counts nothing")
  func clean() throws {
    var renderer = try OfflineRenderer(oneToOne())
    let input = noise(1, 1000).map { $0 * 16 }
    #expect(try renderer.render(inputs: [input], frames: 1000)[0] == input)
    #expect(renderer.engine.inputFaults().isEmpty)
  }

  @Test(
    "of one strip are not heard in another one's sound",
    arguments: [Float.nan, .infinity, 3e38, -3e38, 1e19, 1000],
    [nil, LimiterSpec(), LimiterSpec(lookaheadFrames: 20)],
  )
  func neighbours(sample: Float, limiter: LimiterSpec?) throws {
    for frames in [32, 100, 1024] {
      var spec = twoToOne()
      spec.routes[0].limiter = limiter
      var alone = try OfflineRenderer(spec, blockFrames: frames)
      var beside = try OfflineRenderer(spec, blockFrames: frames)
      let good = noise(2, 5000).map { $0 * 0.5 }
      let bad = (0..<5000).map { $0 % 3 == 0 ? sample : 0 }
      let expected = try alone.render(inputs: [good, []], frames: 5000)
      #expect(try beside.render(inputs: [good, bad], frames: 5000) == expected)
      #expect(beside.engine.inputFaults()["good"] == nil)
      #expect(beside.engine.inputFaults()["bad"]?.silencedSamples == 1667)
    }
  }

  @Test("are cleaned from the frame on at which a moving gain opens their strip")
  func opening() throws {
    for shape in [Ramp.Shape.linear, .exponential] {
      var spec = twoToOne()
      spec.strips[1].faderDB = -.infinity
      var renderer = try OfflineRenderer(spec, blockFrames: 256)
      let good = constant(0.5, 4096)
      let change = OfflineRenderer.Change(atFrame: 100) {
        try $0.setFader(strip: "bad", decibels: 0, fade: Fade(.frames(1000), shape: shape))
      }
      let output = try renderer.render(
        inputs: [good, constant(.nan, 4096)],
        frames: 4096,
        changes: [change],
      )
      #expect(output[0] == good)
    }
  }

  @Test("more channels than there is room for are silent")
  func many() throws {
    var renderer = try OfflineRenderer(oneToOne(channels: 32))
    let output = try renderer.render(
      inputs: (0..<32).map { _ in [0.5, .nan, 0.25] },
      frames: 3,
    )
    for channel in 0..<16 { #expect(output[channel] == [0.5, 0, 0.25]) }
    for channel in 16..<32 { #expect(output[channel] == [0, 0, 0]) }
  }

  private func twoToOne() -> MixSpec {
    MixSpec(
      strips: [StripSpec(id: "good", channels: 1), StripSpec(id: "bad", channels: 1)],
      routes: [RouteSpec(id: "out", channels: 1)],
      sends: [SendSpec(strip: "good", route: "out"), SendSpec(strip: "bad", route: "out")],
    )
  }

  @Test("denormals pass, and decay to exact zero in limiter and meters")
  func denormals() throws {
    var spec = oneToOne()
    spec.strips[0].faderDB = -20
    spec.routes[0].limiter = LimiterSpec()
    var renderer = try OfflineRenderer(spec)
    let denormal = Float.leastNormalMagnitude / 256
    let output = try renderer.render(inputs: [constant(denormal, 500)], frames: 500)[0]
    #expect(output.allSatisfy { $0 >= 0 && $0 < denormal / 9 })
    #expect(renderer.engine.meters().routes[0].channels[0].rmsLinear == 0)
  }
}
