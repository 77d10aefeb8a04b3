// SPDX-License-Identifier: MIT

import Foundation
import LatencyLab
import TestSupport
import Testing

@testable import EndToEndSupport

/// The benchmarks that start hosts of their own, in short.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct BenchTests {
  private func report(_ arguments: [String], in scratch: Scratch) async throws -> BenchReport {
    let folder = "\(scratch.path)/report"
    let output = try await Multiroute.run(
      ["bench"] + arguments + ["--out", folder],
      in: scratch,
      within: .seconds(50),
    )
    #expect(output.end == .code(0), "\(output.standardError)")
    return try BenchReport(contentsOf: "\(folder)/report.jsonl")
  }

  @Test(.aloneWithJACK)
  func `INT-1 ACT-3 bench session hears fades and ducks as they are configured`() async throws {
    let scratch = try Scratch()
    let report = try await report(
      ["session", "--rounds", "3", "--ducks", "2", "--kills", "1"],
      in: scratch,
    )
    #expect(report.machine.versions["multiroute"] != nil)
    #expect(report.machine.server?.contains("jackd") == true)
    let record = try #require(report.records.first)
    let period = 64.0 / 48_000 * 1_000_000
    func near(_ metric: String, _ wanted: Double, within tolerance: Double) throws {
      let value = try #require(record.metrics[metric], "\(metric)")
      #expect(abs(value - wanted) <= tolerance, "\(metric)")
    }
    try near("session.interruptionFade.p50.microseconds", 5_000, within: period)
    try near("session.duckDepth.lowest.decibels", -14, within: 0.1)
    try near("session.duckDepth.highest.decibels", -14, within: 0.1)
    try near("session.duckRamp.p50.microseconds", 200_000, within: period)
    try near("session.restoreRamp.p50.microseconds", 80_000, within: period)
    let step = try #require(record.metrics["session.duckStepPerPeriod.highest.decibels"])
    #expect(step <= 0.5)
    for name in ["disconnect", "activation", "killedDuckerBack", "killedInterrupterBack"]
      + ["plugSound", "unplugSound"]
    {
      #expect(record.distributions[name] != nil, "\(name)")
    }
  }

  @Test(.aloneWithJACK)
  func `bench control hears each change over each face`() async throws {
    let scratch = try Scratch()
    let report = try await report(["control", "--rounds", "3"], in: scratch)
    let record = try #require(report.records.first)
    #expect(record.benchmark == "control")
    #expect(record.metrics["control.unheard.count"] == 0)
    // A lost cycle of a busy machine takes a step away.
    let lost = try #require(record.metrics["control.lost.count"])
    let heard = ControlFace.allCases.map { record.distributions[$0.rawValue]?.count ?? 0 }
    #expect(heard.allSatisfy { $0 > 0 }, "\(heard)")
    #expect(Double(heard.reduce(0, +)) + lost == Double(6 * ControlFace.allCases.count))
  }

  @Test(.aloneWithJACK)
  func `bench flood sends at its rates, and finds each last value in the host`() async throws {
    let scratch = try Scratch()
    let report = try await report(["flood", "--seconds", "2"], in: scratch)
    let record = try #require(report.records.first)
    #expect(record.benchmark == "flood")
    let osc = try #require(record.metrics["flood.osc.sent.count"])
    #expect(osc > 5_000)
    #expect(try #require(record.metrics["flood.midi.sent.count"]) > 500)
    // The machine decides about dropped datagrams; a value may only be an older one where some were dropped.
    if record.metrics["flood.osc.dropped.count"] == 0 {
      #expect(record.metrics["flood.unequal.count"] == 0)
    }
  }

  @Test(.aloneWithJACK)
  func `bench node compares a program with bare clients`() async throws {
    let scratch = try Scratch()
    let report = try await report(
      ["node", "--clients", "2", "--rounds", "1", "--seconds", "0", "--frames", "512"]
        + ["--command", "jack_thru {name} {server}"],
      in: scratch,
    )
    #expect(report.records.map(\.subject) == ["bare JACK client", "jack_thru {name} {server}"])
    #expect(report.records.allSatisfy { $0.metrics["node.hop.microseconds"] != nil })
  }

  @Test func `bench report joins reports, and a missed bar is status 1`() async throws {
    let scratch = try Scratch()
    func write(_ name: String, _ value: Double) throws -> String {
      let path = "\(scratch.path)/\(name).jsonl"
      let record = BenchRecord(
        benchmark: name,
        subject: "a",
        configuration: BenchRecord.Configuration(sampleRateHz: 48_000, bufferFrames: 64),
        metrics: ["x.count": value],
      )
      let machine = MachineDescription.current(server: "none")
      try BenchReport(machine: machine, records: [record]).write(to: path)
      return path
    }
    let files = [try write("one", 1), try write("two", 2)]
    let bars = try scratch.write("x.count <= 1 # the first one only\n", to: "bars.txt")
    let command = ["bench", "report"] + files + ["--json"]
    let joined = try await Multiroute.run(command, in: scratch)
    #expect(joined.end == .code(0))
    #expect(joined.standardOutput.split(separator: "\n").count == 3)
    let held = try await Multiroute.run(command + ["--require-file", bars], in: scratch)
    #expect(held.end == .code(1))
    #expect(held.standardError.contains("missed: x.count <= 1.0: 2"))
    let bad = try await Multiroute.run(["bench", "report", bars], in: scratch)
    #expect(bad.end == .code(65))
  }

  @Test(.jackServer())
  func `a round trip that was refused prints its report and ends with status 65`() async throws {
    let scratch = try Scratch()
    let server = try testServer().name
    let output = try await Multiroute.run(
      ["bench", "roundtrip", "system:playback_1", "system:capture_1", "--server", server]
        + ["--repetitions", "1", "--json"],
      in: scratch,
    )
    #expect(output.end == .code(65), "\(output.standardError)")
    #expect(output.standardOutput.contains("roundTrip.refused.count"))
    #expect(output.standardError.contains("error: no reading was accepted"))
  }

  @Test func `a sweep refuses sizes that no server runs with, and files that are no report`()
    async throws
  {
    let scratch = try Scratch()
    let tiny = try await Multiroute.run(["bench", "sweep", "--frames", "3"], in: scratch)
    #expect(tiny.end == .code(64))
    #expect(tiny.standardError.contains("--frames 3 is out of range; allowed: 16 to 8192"))
    let file = try scratch.write("{\"x\":1}\n", to: "bad.jsonl")
    let command = ["bench", "sweep", "--frames", "64", "--resume", file]
    let broken = try await Multiroute.run(command, in: scratch)
    #expect(broken.end == .code(65))
    #expect(broken.standardError.contains("the key 'type' is missing"))
    #expect(!broken.standardError.contains("DecodingError"))
  }
}
