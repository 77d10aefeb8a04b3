// SPDX-License-Identifier: MIT

import LatencyLab
import Testing

@Suite struct BenchBarTests {
  @Test(arguments: [
    ("a.b <= 1.5", BenchBar.Comparison.atMost, 1.5), ("a.b>=2", .atLeast, 2),
    ("a.b == 0", .equal, 0), ("a.b<3", .below, 3), ("  a.b   >  -4 ", .above, -4),
  ])
  func readsABar(text: String, comparison: BenchBar.Comparison, limit: Double) throws {
    let bar = try BenchBar(parsing: text)
    #expect(bar.metric == "a.b")
    #expect(bar.comparison == comparison)
    #expect(bar.limit == limit)
  }

  @Test(arguments: ["", "a.b", "a.b <= ", "<= 3", "a.b <= x", "a b <= 1", "a.b = 1", "a <= nan"])
  func refusesWhatIsNoBar(text: String) {
    #expect(throws: LabError.self) { try BenchBar(parsing: text) }
  }

  @Test func readsAFileWithComments() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("# bars\nxruns.count == 0\n\na <= 1 # one\n", to: "bars")
    #expect(try BenchBar.bars(inFile: path).map(\.metric) == ["xruns.count", "a"])
    let wrong = try directory.write("a <= 1\nb ~ 2\n", to: "wrong")
    let error = #expect(throws: LabError.self) { try BenchBar.bars(inFile: wrong) }
    #expect(error?.description.hasPrefix("\(wrong):2: ") == true)
  }

  @Test func aMissingFigureIsAMiss() throws {
    let bars = [try BenchBar(parsing: "xruns.count == 0"), try BenchBar(parsing: "nothing <= 1")]
    let findings = BenchBar.check(bars, against: SampleReport.records)
    #expect(findings.count == 37)
    #expect(findings.filter { $0.verdict == .cleared }.count == 30)
    #expect(findings.last?.verdict == .missed)
    #expect(findings.last?.value == nil)
  }

  /// A record of a ratio with its interval; a figure that is lost in the noise has the interval alone.
  private static func finding(
    _ lower: Double?,
    _ value: Double?,
    _ upper: Double?,
    _ bar: String,
  ) throws -> BenchBar.Finding {
    var metrics: [String: Double] = [:]
    metrics["mix.toPeer.ratio"] = value
    metrics["mix.toPeerLower.ratio"] = lower
    metrics["mix.toPeerUpper.ratio"] = upper
    let record = BenchRecord(
      benchmark: "mix",
      subject: "a",
      configuration: .init(sampleRateHz: 48_000, bufferFrames: 64),
      metrics: metrics,
    )
    return try #require(BenchBar.check([BenchBar(parsing: bar)], against: [record]).first)
  }

  private static let held: [(Double?, Double?, Double?, String, BenchBar.Verdict)] = [
    (0.1, 0.15, 0.19, "<= 0.2", .cleared), (0.1, 0.15, 0.21, "<= 0.2", .undecided),
    (0.21, 0.25, 0.3, "<= 0.2", .missed), (0.21, 0.25, 0.3, ">= 0.2", .cleared),
    (-0.4, nil, 0.1, "<= 0.2", .cleared), (-0.4, nil, 0.3, "<= 0.2", .undecided),
    (0.3, nil, nil, "<= 0.2", .missed), (0.1, nil, nil, "<= 0.2", .undecided),
    (nil, 0.1, nil, "<= 0.2", .cleared), (-0.15, nil, -0.09, "<= 0.2", .undecided),
  ]

  @Test(arguments: held)
  func `a bar is held against the whole interval`(
    lower: Double?,
    value: Double?,
    upper: Double?,
    bar: String,
    verdict: BenchBar.Verdict,
  ) throws {
    #expect(try Self.finding(lower, value, upper, "mix.toPeer.ratio \(bar)").verdict == verdict)
  }

  @Test func `a finding tells the interval, or the noise in place of a figure`() throws {
    let clear = try Self.finding(0.1, 0.15, 0.19, "mix.toPeer.ratio <= 0.2")
    #expect(clear.description.hasPrefix("cleared: mix.toPeer.ratio <= 0.2: 0.150 (0.100 … 0.190)"))
    let noisy = try Self.finding(-0.4, nil, 0.3, "mix.toPeer.ratio <= 0.2")
    #expect(noisy.description.contains("not measurable here: noise of 0.350 (-0.400 … 0.300)"))
  }
}
