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

  @Test("a value that is not a number does not stick")
  func notANumber() {
    let meter = MeterCell()
    meter.update(peak: .nan, meanSquare: .nan, smoothing: 0.5)
    meter.update(peak: .infinity, meanSquare: .infinity, smoothing: 0.5)
    #expect(meter.read() == MeterReading(peakLinear: 0, rmsLinear: 0))
    meter.update(peak: 0.5, meanSquare: 0.25, smoothing: 1)
    #expect(meter.read() == MeterReading(peakLinear: 0.5, rmsLinear: 0.5))
  }

  @Test("a new meter reads silence, and −200 dB is silence still")
  func silence() {
    let meter = MeterCell()
    #expect(meter.read() == MeterReading(peakLinear: 0, rmsLinear: 0))
    var isAtRest = meter.isAtRest
    #expect(isAtRest)
    meter.update(peak: 0, meanSquare: 1e-20, smoothing: 1)
    isAtRest = meter.isAtRest
    #expect(isAtRest)
    meter.update(peak: 0, meanSquare: 1.1e-20, smoothing: 1)
    isAtRest = meter.isAtRest
    #expect(!isAtRest)
  }

  @Test("a block takes its share of the mean square")
  func smoothing() {
    let meter = MeterCell()
    for expected in [0.25, 0.437_5, 0.578_125] as [Float] {
      meter.update(peak: 0, meanSquare: 1, smoothing: 0.25)
      let rms = meter.read().rmsLinear
      #expect(abs(rms * rms - expected) < 1e-6)
    }
  }

  @Test("the mean square falls to exact zero")
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
