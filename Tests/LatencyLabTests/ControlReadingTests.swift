// SPDX-License-Identifier: MIT

import Foundation
import JACK
import Testing

@testable import LatencyLab

@Suite struct ControlReadingTests {
  /// Two cycles of a millisecond: the level changes with a sample of the second one.
  private static func recording(changingAt index: Int?, lostFrames: Int = 0) -> Speaker.Recording {
    Speaker.Recording(
      sampleRateHz: 48_000,
      channels: [(0..<96).map { $0 < index ?? .max ? 0.25 : 0.125 }],
      lostFrames: lostFrames,
      cycles: [(0, 10_000_000), (48, 11_000_000)].map { CycleStamp(frame: $0, nanoseconds: $1) },
    )
  }

  private static func outcome(
    sentAt nanoseconds: UInt64,
    changingAt index: Int?,
    lostFrames: Int = 0,
  ) -> ControlStep.Outcome {
    ControlStep(
      recording: recording(changingAt: index, lostFrames: lostFrames),
      moment: .nanoseconds(nanoseconds),
    ).outcome
  }

  /// Readings of one face that spread evenly from a number of microseconds to twice that.
  private static func add(
    _ count: Int,
    from microseconds: Double,
    of face: ControlFace,
    to readings: inout ControlReadings,
  ) {
    for index in 0..<count {
      let delay = microseconds * (1 + Double(index) / Double(count))
      readings.add(.heard(microseconds: delay), of: face)
    }
  }

  @Test func `a change counts from its message to the first sample that differs`() {
    #expect(
      Self.outcome(sentAt: 10_400_000, changingAt: 72) == .heard(microseconds: 1_100)
    )
  }

  @Test func `a MIDI message counts from its frame, also where frame times wrap`() {
    var step = ControlStep(
      recording: Self.recording(changingAt: 72),
      moment: .frame(UInt32.max - 9),
    )
    step.recording.firstFrame = UInt32.max - 49
    #expect(step.outcome == .heard(microseconds: 32 * 1_000_000 / 48_000))
    step.moment = .frame(23)
    #expect(step.outcome == .lost)
  }

  @Test func `a crossfader has offsets in frames, and no ratio where one is 0`() {
    var readings = ControlReadings()
    Self.add(100, from: 1_000, of: .setGain, to: &readings)
    for frames in [0, 0, 3] {
      readings.add(.heard(microseconds: Double(frames) * 1_000_000 / 48_000), of: .crossfader)
    }
    let record = readings.record(ControlBenchmark(program: ""), startedAt: Date())
    #expect(record.metrics["control.crossfader.offset.median.frames"] == 0)
    #expect(record.metrics["control.crossfader.offset.most.frames"] == 3)
    #expect(record.metrics["control.crossfader.ratioToSetGain.ratio"] == nil)
  }

  @Test func `a change that is not heard counts to the end of the recording`() {
    guard case .unheard(let microseconds) = Self.outcome(sentAt: 10_000_000, changingAt: nil)
    else {
      Issue.record("it was heard")
      return
    }
    #expect(abs(microseconds - 1_979) < 1)
  }

  @Test func `a change before its message, and lost cycles, are no readings`() {
    #expect(Self.outcome(sentAt: 11_900_000, changingAt: 72) == .lost)
    #expect(Self.outcome(sentAt: 10_000_000, changingAt: 72, lostFrames: 1) == .lost)
  }

  @Test func `each face has percentiles, a share of the period, a bar, and a ratio`() throws {
    var readings = ControlReadings()
    Self.add(200, from: 1_000, of: .setGain, to: &readings)
    Self.add(200, from: 2_000, of: .set, to: &readings)
    readings.add(.lost, of: .set)
    let record = readings.record(ControlBenchmark(program: ""), startedAt: Date())
    func metric(_ name: String) throws -> Double { try #require(record.metrics[name], "\(name)") }
    #expect(abs(try metric("control.setGain.p50.microseconds") - 1_497) < 5)
    #expect(abs(try metric("control.setGain.p99.percentOfPeriod") - 1_985 / 13.3333) < 1)
    #expect(abs(try metric("control.set.ratioToSetGain.ratio") - 2) < 0.001)
    #expect(try metric("control.set.ratioToSetGainLower.ratio") < 2)
    #expect(try metric("control.set.ratioToSetGainUpper.ratio") > 2)
    #expect(record.metrics["control.setGain.ratioToSetGain.ratio"] == nil)
    #expect(try metric("control.lost.count") == 1)
    // Two periods of 64 frames and a millisecond.
    #expect(try metric("control.setGain.p99OfBar.ratio") < 0.55)
    #expect(try metric("control.set.p99OfBar.ratio") > 1)
    #expect(
      record.notes.prefix(2).map { String($0.prefix(50)) } == [
        "cleared: control.setGain.p99.microseconds <= 3667.",
        "missed: control.set.p99.microseconds <= 3667.0: 39",
      ]
    )
    #expect(record.notes.count == 3)
  }

  @Test func `fewer than 100 readings clear and miss no bar`() throws {
    var readings = ControlReadings()
    Self.add(99, from: 1, of: .setGain, to: &readings)
    let record = readings.record(ControlBenchmark(program: ""), startedAt: Date())
    #expect(record.metrics["control.setGain.p99OfBar.ratio"] == nil)
    #expect(
      record.notes == [
        "control.setGain.p99.microseconds <= 3667.0: takes 100 readings, there are 99"
      ]
    )
    let report = BenchReport(machine: .current(server: "none"), records: [record])
    #expect(report.table.contains("takes 100 readings, there are 99\n"))
  }

  @Test func `a change that is not heard makes the longest time`() throws {
    var readings = ControlReadings()
    Self.add(3, from: 1_000, of: .set, to: &readings)
    readings.add(.unheard(microseconds: 45_000), of: .set)
    let record = readings.record(ControlBenchmark(program: ""), startedAt: Date())
    #expect(record.metrics["control.unheard.count"] == 1)
    #expect(record.distributions["set"]?.count == 4)
    #expect(try #require(record.metrics["control.set.maximum.microseconds"]) > 44_900)
  }
}
