// SPDX-License-Identifier: MIT

import FoundationEssentials
import Testing

@testable import LatencyLab

/// Reports tell only what their values can tell, and say which line is which.
struct ReportHonestyTests {
  /// A record of one distribution with so many values.
  private func record(
    _ values: Int,
    subject: String = "a",
    timeline: [TimelinePoint] = [],
  ) -> BenchRecord {
    var statistics = JitterStatistics()
    for value in 0..<values { statistics.record(nanoseconds: Int64(1_000 * (value + 1))) }
    let distribution = statistics.distribution
    return BenchRecord(
      benchmark: "wakeup",
      subject: subject,
      configuration: .init(sampleRateHz: 48_000, bufferFrames: 64),
      metrics: distribution.metrics(named: "wakeUp", periodMicroseconds: 1_333),
      distributions: ["wakeUp": distribution],
      timeline: timeline,
    )
  }

  private func report(_ records: [BenchRecord]) -> BenchReport {
    BenchReport(machine: SampleReport.machine, records: records)
  }

  @Test(arguments: [
    (3, ["p50", "maximum"]), (10, ["p50", "p90", "maximum"]),
    (100, ["p50", "p90", "p99", "maximum"]),
    (1_000, ["p50", "p90", "p99", "p999", "maximum"]),
  ])
  func `a percentile needs enough values`(values: Int, figures: [String]) {
    let record = record(values)
    let told = ["p50", "p90", "p99", "p999", "maximum"].filter {
      record.tellable("wakeUp.\($0).microseconds") != nil
    }
    #expect(told == figures)
    let row = report([record]).table.split(separator: "\n").first { $0.hasPrefix("wakeUp") }
    let dashes = row?.count { $0 == "–" } ?? 0
    // The share of the period is that of p99.
    #expect(dashes == 5 - figures.count + (values < 100 ? 1 : 0), "\(row ?? "")")
  }

  @Test func `a metric without a distribution is told as it is`() {
    var record = record(3)
    record.metrics["load.percent"] = 7
    #expect(record.tellable("load.percent") == 7)
    #expect(record.tellable("none.p99.microseconds") == nil)
  }

  @Test func `only times within a cycle have a share of the period`() {
    var statistics = JitterStatistics()
    statistics.record(nanoseconds: 200_000_000)
    let ramp = statistics.distribution.metrics(named: "session.duckRamp")
    #expect(ramp["session.duckRamp.p50.microseconds"] != nil)
    #expect(!ramp.keys.contains { $0.hasSuffix("percentOfPeriod") })
    let record = BenchRecord(
      benchmark: "session",
      subject: "a",
      configuration: .init(sampleRateHz: 48_000, bufferFrames: 64),
      metrics: ramp,
      distributions: ["duckRamp": statistics.distribution],
    )
    #expect(!report([record]).table.contains("% of period"))
    #expect(report([self.record(200)]).table.contains("% of period"))
  }

  @Test func `two records of the same circumstances have different names in a legend`() {
    let records = [record(9), record(9, subject: "b"), record(9, subject: "b")]
    let names = BenchReport.lineNames(records)
    #expect(Set(names).count == 3)
    #expect(names[1].contains("b, no. 1") && names[2].contains("b, no. 2"))
    #expect(BenchReport.lineNames([record(9)]) == ["48 kHz, 64"])
  }

  @Test func `a command line is named in the title, and its program heads the column`() {
    let command = "/opt/bin/my-node --client {name} --server {server}"
    let heads = ColumnHeads(["bare JACK client", command, command])
    #expect(heads.heads == ["bare JACK client", "my-node", "my-node (3)"])
    #expect(heads.legend.contains("my-node: \(command)"))
    #expect(ColumnHeads(["a", "b"]).legend.isEmpty)
  }

  @Test(arguments: [(2, 0.5), (8, 1.0), (20, 3.0)])
  func `a time line reaches the end of its axis`(stretches: Int, length: Double) throws {
    let timeline = (0..<stretches).map {
      TimelinePoint(
        seconds: Double($0) * length,
        p50Microseconds: 20,
        p99Microseconds: 40,
        maximumMicroseconds: 60,
      )
    }
    let svg = BenchReport.timelineChart(of: record(9, timeline: timeline))
    let line = try #require(
      svg.split(separator: "\n").first { $0.hasPrefix("<polyline") }?
        .split(separator: "\"").dropFirst().first
    )
    let places = line.split(separator: " ").compactMap { $0.split(separator: ",").first }
      .compactMap { Double($0) }
    // The axis begins at 78 and ends at 836 of 860.
    #expect(places.first == 78 && places.last == 836, "\(places)")
  }

  @Test(arguments: [
    ("{\"x\":1}\n", "the key 'type' is missing"), ("[1]\n", "another kind"),
    ("nonsense\n", "it is not JSON"),
  ])
  func `a faulty line is described in words`(text: String, words: String) throws {
    let error = #expect(throws: LabError.self) {
      try BenchReport(jsonLines: Data(text.utf8), name: "a")
    }
    let description = try #require(error?.description)
    #expect(description.contains("a:1: not a line of a report: ") && description.contains(words))
    #expect(!description.contains("DecodingError") && !description.contains("CodingKeys"))
  }

  @Test func `a sweep without a measured point says why`() {
    var failed = record(1)
    failed.metrics = [:]
    failed.notes = ["not measured: the server did not start"]
    func reason(_ records: [BenchRecord]) -> String? {
      SweepBenchmark.Result(report: report(records), lowestHoldingSizes: [], wasCancelled: false)
        .emptyReason
    }
    #expect(reason([failed])?.contains("the server did not start") == true)
    #expect(reason([]) != nil)
    #expect(reason([failed, record(9)]) == nil)
  }
}
