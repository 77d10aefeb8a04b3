// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import Console
import Glibc
import LatencyLab
import Synchronization

/// The options of every `bench` command: how its records are printed, kept, and held against bars.
///
/// Belongs to the control thread.
struct BenchReportOptions: ParsableArguments {
  @Flag(help: "Print the report as JSON lines instead of tables.")
  var json = false

  @Option(help: "Keep the report in this folder: JSON lines, CSV, pictures and one HTML page.")
  var out: String?

  @Option(
    help: ArgumentHelp(
      "A bar to clear, such as 'mix.callbackRatioToJackMixBox.ratio <= 0.2'; exit status 1 when missed, 75 when within the noise.",
      valueName: "bar",
    )
  )
  var require: [String] = []

  @Option(help: "A file of bars, one a line.")
  var requireFile: String?

  @Flag(help: .hidden)
  var noProgress = false

  /// Measures with a progress line on standard error, then prints, keeps and checks the report.
  ///
  /// - Parameters:
  ///   - target: The server that is measured on, for the report's header.
  ///   - programs: The programs in use, for the report's header.
  ///   - body: The measurement.
  /// - Throws: Status 69 with the fault on standard error; status 1 when a bar was missed, 75 when the noise was too strong to
  ///   tell.
  func measuring(
    on target: SweepBenchmark.Options.Target = .dummyServers,
    with programs: LabPrograms? = nil,
    _ body: (@escaping BenchProgress.Handler) async throws -> [BenchRecord]
  ) async throws {
    try await presenting {
      let line = noProgress ? nil : ProgressLine()
      defer { line?.end() }
      let records = try await body { line?.show($0) }
      let version = await (programs ?? LabPrograms()).hostVersion()
      let machine = MachineDescription.current(
        measuringOn: target,
        versions: version.map { ["multiroute": $0] } ?? [:],
      )
      return BenchReport(machine: machine, records: records)
    }
  }

  /// Prints and keeps a report, and checks the bars.
  ///
  /// - Parameter makeReport: Makes the report.
  /// - Throws: Status 65 for a bad file or option, 69 for another fault, with the fault on standard
  ///   error; status 1 when a bar was missed, 75 when the noise was too strong to tell.
  func presenting(_ makeReport: () async throws -> BenchReport) async throws {
    do {
      // Before the measurement, so that a misspelt bar costs no time.
      let bars = try bars()
      let report = try await makeReport()
      Terminal.say(lines: json ? report.jsonLines : report.table)
      if let out {
        let written = try await report.writeAll(toDirectory: out)
        for note in written.notes { Terminal.complain(note) }
        Terminal.complain("written: \(written.files.joined(separator: ", "))")
      }
      let findings = BenchBar.check(bars, against: report.records)
      for finding in findings { Terminal.complain(finding.description) }
      if findings.contains(where: { $0.verdict == .missed }) { throw ExitCode(1) }
      if findings.contains(where: { $0.verdict == .undecided }) { throw ExitCode.undecided }
    } catch let error as LabError {
      Terminal.complain("error: \(error)")
      throw [.badOption, .badFile].contains(error.code) ? ExitCode.badData : ExitCode.unavailable
    }
  }

  /// The bars of the command line and of the file.
  private func bars() throws -> [BenchBar] {
    var bars: [BenchBar] = []
    for text in require { bars.append(try BenchBar(parsing: text)) }
    if let requireFile { bars += try BenchBar.bars(inFile: requireFile) }
    return bars
  }
}

/// The end of a benchmark that ran and has no figure: its report is printed first.
///
/// Pure value: [any-thread].
struct EmptyBench {
  private var reason: String?
  private var status = ExitCode.badData

  /// Remembers why there is no figure; nil does nothing.
  mutating func note(_ reason: String?, status: ExitCode) {
    guard let reason else { return }
    self.reason = reason
    self.status = status
  }

  /// Ends the command if a reason was noted.
  ///
  /// - Throws: The status, with the reason on standard error.
  func end() throws {
    guard let reason else { return }
    Terminal.complain("error: \(reason)")
    throw status
  }
}

/// Checks of numbers on the command line.
///
/// Pure value: [any-thread].
enum BenchRange {
  /// Refuses a number outside of its range.
  ///
  /// - Throws: A usage error with the allowed values.
  static func check<Value: Comparable>(
    _ value: Value,
    in range: ClosedRange<Value>,
    _ option: String,
  ) throws {
    guard !range.contains(value) else { return }
    throw ValidationError(
      "\(option) \(value) is out of range; allowed: \(range.lowerBound) to \(range.upperBound)"
    )
  }
}

/// How long a comparison is repeated.
///
/// Pure value: [any-thread].
struct RepetitionOptions: ParsableArguments {
  @Option(help: "The fewest rounds; without it, those of the benchmark.")
  var rounds: Int?

  @Option(
    help: ArgumentHelp(
      "Repeat until the ratio's 95 % interval is at most so many percent wide to either side.",
      valueName: "percent",
    )
  )
  var precision = 10.0

  @Option(help: "End after so many seconds, even if the interval is wider.")
  var seconds: Double?

  func validate() throws {
    if let rounds { try BenchRange.check(rounds, in: 1...10_000, "--rounds") }
    try BenchRange.check(precision, in: 0.1...100, "--precision")
    if let seconds { try BenchRange.check(seconds, in: 0...86_400, "--seconds") }
  }

  /// Puts in what was given.
  func apply(to repetition: inout Repetition) {
    if let rounds { repetition.leastRounds = rounds }
    if let seconds { repetition.mostSeconds = seconds }
    repetition.precision = precision / 100
  }
}

/// The host program that a benchmark starts.
///
/// Pure value: [any-thread].
struct HostProgramOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The multiroute program to measure; without it, the one in this program's folder.",
      valueName: "path",
    )
  )
  var program: String?

  /// The programs to start.
  ///
  /// - Throws: Status 69 when there is no such program.
  func programs() throws -> LabPrograms {
    var programs = LabPrograms()
    if let program { programs.host = program }
    guard unsafe access(programs.host, X_OK) == 0 else {
      Terminal.complain(
        "error: \(programs.host): no such program; 'swift build --product multiroute' makes it"
      )
      throw ExitCode.unavailable
    }
    return programs
  }
}

/// A benchmark's progress on standard error: a bar on a terminal, one line per step elsewhere.
///
/// Safe from any thread: [any-thread].
final class ProgressLine: Sendable {
  private let lastStep = Mutex<String>("")
  private let isInteractive = isatty(STDERR_FILENO) == 1

  /// Shows a moment of a benchmark.
  func show(_ progress: BenchProgress) {
    let step = "[\(progress.step)/\(progress.stepCount)] \(progress.label)"
    let left = progress.secondsLeft.map { ", \(Int($0.rounded())) s left" } ?? ""
    let percent = "\(Int((progress.fractionDone * 100).rounded())) %\(left)"
    if isInteractive {
      let full = Int((progress.fractionDone * Double(Self.barWidth)).rounded())
      let bar = String(repeating: "█", count: full)
      let rest = String(repeating: "░", count: Self.barWidth - full)
      Terminal.drawError("\r\(bar)\(rest) \(percent)  \(ShownText.clean(step))\u{1B}[K")
    } else if lastStep.withLock({ last in
      defer { last = step }
      return last != step
    }) {
      Terminal.complain("\(step): \(percent)")
    }
  }

  /// Clears the bar, so that the next output begins on a new line.
  func end() {
    if isInteractive { Terminal.drawError("\r\u{1B}[K") }
  }

  private static let barWidth = 30
}
