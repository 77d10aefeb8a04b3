// SPDX-License-Identifier: MIT

import Foundation
import JACK
import Testing

@testable import LatencyLab

@Suite struct WebReadingTests {
  /// Two cycles of a millisecond; the level is another one from each of these samples on.
  private static func movement(
    at nanoseconds: [UInt64],
    changes: [Int],
    lostFrames: Int = 0,
  ) -> WebRig.Movement {
    let samples = (0..<96).map { index in
      Float(1 + changes.count { $0 <= index }) / 16
    }
    return WebRig.Movement(
      nanoseconds: nanoseconds,
      recording: Speaker.Recording(
        sampleRateHz: 48_000,
        channels: [samples],
        lostFrames: lostFrames,
        cycles: [(0, 10_000_000), (48, 11_000_000)].map { CycleStamp(frame: $0, nanoseconds: $1) },
      ),
    )
  }

  @Test func `each movement counts until the first sample that differs`() {
    var readings = WebReadings()
    readings.add(Self.movement(at: [10_250_000, 11_250_000], changes: [36, 84]))
    #expect(readings.delays == [500, 500])
    #expect(readings.unheard == 0)
  }

  @Test func `a movement that is not heard counts until the next one`() {
    var readings = WebReadings()
    readings.add(Self.movement(at: [10_250_000, 11_250_000], changes: [84], lostFrames: 3))
    #expect(readings.delays == [1_000, 500])
    #expect(readings.unheard == 1)
    #expect(readings.lostFrames == 3)
  }

  @Test func `a recording without samples hears nothing`() {
    var readings = WebReadings()
    var movement = Self.movement(at: [10_250_000], changes: [])
    movement = WebRig.Movement(
      nanoseconds: movement.nanoseconds,
      recording: .init(sampleRateHz: 48_000, channels: [[]], lostFrames: 0, cycles: []),
    )
    readings.add(movement)
    #expect(readings.delays.isEmpty)
    #expect(readings.unheard == 1)
  }

  @Test
  func
    `a change counts until the picture that shows it first, and one that is never shown is told`()
  {
    var readings = WebReadings()
    let shown = PageDriver.Changes(
      gainsDB: [-0.1, -0.3, -0.1],
      nanoseconds: [4_000, 9_000, 8_000]
    )
    readings.add((sent: [-0.1: 1_000, -0.2: 2_000, -0.3: 3_000], shown: shown))
    #expect(readings.changes.sorted() == [3, 6])
    #expect(readings.unseen == 1)
    let record = readings.record(WebBenchmark(program: ""), startedAt: Date())
    #expect(record.metrics["web.unseen.count"] == 1)
    #expect(record.samples["web.change.p50.microseconds"]?.count == 2)
  }

  @Test func `the ratio is that of blocks, and slow pages miss the bar`() throws {
    var readings = WebReadings()
    for block in 0..<4 {
      let alone = (0..<100).map { Double(100 + $0 + block) }
      readings.add(alone, beside: .none, xruns: 0)
      readings.add(alone.map { $0 * 2 }, beside: .pages, xruns: 1)
      readings.add(alone.map { $0 * 1.2 }, beside: .streams, xruns: 2)
    }
    let record = readings.record(WebBenchmark(program: ""), startedAt: Date())
    let ratio = try #require(record.metrics["web.setGain.p99Ratio.ratio"])
    #expect(abs(ratio - 2) < 0.02)
    #expect(record.metrics["web.xrunsAlone.count"] == 0)
    #expect(record.metrics["web.xrunsBesidePages.count"] == 4)
    // The machine's network alone, without a host.
    let streams = try #require(record.metrics["web.setGainStreams.p99Ratio.ratio"])
    #expect(abs(streams - 1.2) < 0.02)
    #expect(record.metrics["web.xrunsBesideStreams.count"] == 8)
    #expect(record.notes.contains { $0.hasPrefix("missed: web.setGain.p99Ratio.ratio <= 1.5") })
  }
}
