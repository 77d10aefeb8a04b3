// SPDX-License-Identifier: MIT

import Foundation
import Mixing
import Realtime
import Testing

@Suite("Meters")
struct MeterTests {
  @Test("a sine of amplitude 0.5 reads −6 dB and −9 dB on strip and route")
  func sine() throws {
    var renderer = try OfflineRenderer(oneToOne())
    let sine = (0..<96_000).map { Float(0.5 * sin(Double($0) * 2 * .pi * 1000 / 48_000)) }
    _ = try renderer.render(inputs: [sine], frames: sine.count)
    let meters = renderer.engine.meters()
    for reading in [meters.strips[0].channels[0], meters.routes[0].channels[0]] {
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

  @Test("strips read what comes in, routes what goes out behind the limiter")
  func places() throws {
    var spec = oneToOne()
    spec.strips[0].faderDB = 12
    spec.routes[0].limiter = LimiterSpec(ceilingDB: -6)
    var renderer = try OfflineRenderer(spec)
    _ = try renderer.render(inputs: [constant(0.8, 1000)], frames: 1000)
    let meters = renderer.engine.meters()
    #expect(meters.strips[0].channels[0].peakLinear == 0.8)
    #expect(meters.routes[0].channels[0].peakLinear == Decibels.linear(fromDB: -6))
  }

  @Test("a strip that nothing listens to is not read, and its meter falls")
  func unheard() throws {
    var renderer = try OfflineRenderer(oneToOne())
    let engine = renderer.engine
    _ = try renderer.render(inputs: [constant(1, 10_000)], frames: 10_000)
    try engine.setGate(strip: "in", isOpen: false)
    _ = try renderer.render(inputs: [constant(1, 1000)], frames: 1000)
    _ = engine.meters()
    _ = try renderer.render(inputs: [constant(1, 48_000)], frames: 48_000)
    let meters = engine.meters()
    #expect(meters.strips[0].channels[0].peakLinear == 0)
    #expect(meters.strips[0].channels[0].rmsLinear < 0.2)
    #expect(meters.routes[0].channels[0].peakLinear == 0)
  }
}
