// SPDX-License-Identifier: MIT

import Realtime
import Testing

@Suite("MeterCell")
struct MeterCellTests {
  @Test("the peak is the highest since the last reading")
  func peak() {
    let meter = MeterCell()
    meter.update(peak: 0.5, meanSquare: 0, smoothing: 1)
    meter.update(peak: 0.2, meanSquare: 0, smoothing: 1)
    #expect(meter.read().peakLinear == 0.5)
    meter.update(peak: 0.1, meanSquare: 0, smoothing: 1)
    #expect(meter.read().peakLinear == 0.1)
    #expect(meter.read().peakLinear == 0)
  }

  @Test("what is not a number does not stick")
  func notANumber() {
    let meter = MeterCell()
    meter.update(peak: .nan, meanSquare: .nan, smoothing: 0.5)
    meter.update(peak: .infinity, meanSquare: .infinity, smoothing: 0.5)
    #expect(meter.read() == MeterReading(peakLinear: 0, rmsLinear: 0))
    meter.update(peak: 0.5, meanSquare: 0.25, smoothing: 1)
    #expect(meter.read() == MeterReading(peakLinear: 0.5, rmsLinear: 0.5))
  }

  @Test("the mean square falls to exact nothing")
  func decay() {
    let meter = MeterCell()
    meter.update(peak: 1, meanSquare: 1, smoothing: 1)
    let wasAtRest = meter.isAtRest
    #expect(!wasAtRest)
    for _ in 0..<1000 { meter.update(peak: 0, meanSquare: 0, smoothing: 0.1) }
    let isAtRest = meter.isAtRest
    #expect(isAtRest)
  }
}
