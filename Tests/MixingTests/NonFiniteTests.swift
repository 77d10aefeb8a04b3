// SPDX-License-Identifier: MIT

import Mixing
import Realtime
import Testing

@Suite("Samples that are no numbers")
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

  @Test("levels too high to be squared are left alone")
  func huge() throws {
    var renderer = try OfflineRenderer(oneToOne())
    let output = try renderer.render(inputs: [constant(1e30, 500)], frames: 500)[0]
    #expect(output.allSatisfy { $0 == 1e30 })
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
