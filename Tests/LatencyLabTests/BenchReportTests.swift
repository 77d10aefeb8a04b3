// SPDX-License-Identifier: MIT

import FoundationEssentials
import LatencyLab
import Testing

@Suite struct BenchReportTests {
  @Test func survivesBeingWrittenAndRead() throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/a.jsonl"
    try SampleReport.report.write(to: path)
    #expect(try BenchReport(contentsOf: path) == SampleReport.report)
  }

  @Test func headerComesFirstAndNamesTheSchema() throws {
    let lines = SampleReport.report.jsonLines.split(separator: "\n")
    #expect(lines.count == 37)
    #expect(lines[0].contains("\"type\":\"header\""))
    #expect(lines[0].contains("\"schema\":1"))
    #expect(lines[1].contains("\"type\":\"result\""))
  }

  @Test func leavesOutALastLineThatWasCutOff() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(String(SampleReport.report.jsonLines.dropLast(40)), to: "a")
    #expect(try BenchReport(contentsOf: path).records == SampleReport.report.records.dropLast())
  }

  @Test func namesTheLineThatIsWrong() throws {
    let directory = try TemporaryDirectory()
    let lines = SampleReport.report.jsonLines.split(separator: "\n").map(String.init)
    let cases: [(String, String)] = [
      ("{\"type\":\"header\",\"schema\":2}\n", ":1: schema is 2, this version reads 1"),
      (lines[0] + "\nnonsense\n" + lines[1] + "\n", ":2: not a line of a report"),
      (lines[0] + "\n{\"type\":\"guess\"}\n", ":2: type is \"guess\""),
      (lines[1] + "\n", "has no header line"),
    ]
    for (index, (text, message)) in cases.enumerated() {
      let path = try directory.write(text, to: "\(index)")
      let error = #expect(throws: LabError.self) { try BenchReport(contentsOf: path) }
      #expect(error?.code == .badFile)
      #expect(error?.description.contains(message) == true, "\(String(describing: error))")
    }
  }

  @Test func hostileNamesReachThePageAndTheTablesOnlyAsText() {
    let hostile = "\u{1B}]0;x\u{7}\u{202E}\u{9B}2J</td><script>alert(1)</script>"
    var report = SampleReport.report
    report.records[0].subject = hostile + "\n<h1>"
    report.records[0].notes = [hostile]
    for text in [report.html, report.table] {
      #expect(text.contains("\\u{1B}]0;x"))
      let isClean = text.unicodeScalars.allSatisfy { scalar in
        scalar == "\n" || scalar.properties.generalCategory != .control && scalar != "\u{202E}"
      }
      #expect(isClean)
    }
    #expect(!report.html.contains("<script>") && !report.html.contains("<h1><"))
    #expect(report.jsonLines.contains("script"))
  }

  @Test func csvQuotesAndHasARowPerMetric() {
    var report = SampleReport.report
    report.records = [report.records[0]]
    report.records[0].subject = "a \"b\", c"
    let rows = report.csv.split(separator: "\r\n")
    #expect(rows.count == 1 + report.records[0].metrics.count)
    #expect(rows[1].hasPrefix("sweep,\"a \"\"b\"\", c\",44100.0,32,true,1,"))
  }

  @Test func tableShowsEveryRecordInAlignedColumns() {
    let lines = SampleReport.report.table.split(separator: "\n")
    #expect(lines.count == 1 + 2 + 36)
    #expect(lines[1].contains("wake p50 µs"))
    #expect(lines[3].contains("44100 Hz, 32 frames, sync"))
    #expect(Set(lines[3...].map(\.count)).count == 1)
  }

  @Test func writesAllFilesIncludingPictures() async throws {
    let directory = try TemporaryDirectory()
    let written = try await SampleReport.report.writeAll(toDirectory: directory.path + "/deep/er")
    #expect(written.notes.isEmpty)
    let names = written.files.compactMap { $0.split(separator: "/").last.map(String.init) }
    for name in ["report.jsonl", "report.csv", "report.html", "latency.png", "heat-map.png"]
      + ["distributions.png", "time-line-1.png", "latency.svg"]
    {
      #expect(names.contains(name), "\(name) in \(names)")
    }
    for file in written.files where file.hasSuffix(".png") {
      let data = try Data(contentsOf: URL(filePath: file))
      #expect(data.count > 5000)
      #expect(data.prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
    }
  }

  @Test func htmlIsOnePageWithEscapedWords() {
    let html = SampleReport.report.html
    #expect(html.contains("A &lt;fast&gt; processor"))
    #expect(!html.contains("<fast>"))
    #expect(html.contains("<svg"))
    #expect(!html.contains("src="))
    #expect(html.contains("no permission for real-time scheduling"))
    #expect(html.contains("Lowest buffer size"))
  }

  @Test func lowestHoldingSizeNeedsAllLargerOnesToHold() {
    var records = SampleReport.records.filter {
      $0.configuration.sampleRateHz == 48000 && $0.configuration.isSynchronous == true
    }
    #expect(SweepBenchmark.lowestHoldingSizes(in: records).map(\.bufferFrames) == [64])
    records[3].metrics["xruns.count"] = 1
    #expect(SweepBenchmark.lowestHoldingSizes(in: records).map(\.bufferFrames) == [512])
    records[5].metrics["xruns.count"] = 1
    #expect(SweepBenchmark.lowestHoldingSizes(in: records).map(\.bufferFrames) == [nil])
  }

  @Test func describesTheMachineItRunsOn() {
    let machine = MachineDescription.current(server: "s", versions: ["a": "1"])
    #expect(machine.processorCount > 0)
    #expect(machine.kernel.contains("."))
    #expect(machine.memoryBytes > 1 << 20)
    #expect(machine.server == "s")
  }
}
