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
    #expect(findings.filter(\.isCleared).count == 30)
    #expect(findings.last?.isCleared == false)
    #expect(findings.last?.value == nil)
  }
}
