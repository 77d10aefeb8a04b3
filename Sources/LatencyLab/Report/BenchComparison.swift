// SPDX-License-Identifier: MIT

import Console

/// The changes between two reports that are larger than the noise.
///
/// A plain value: [any-thread].
public struct BenchComparison: Equatable, Sendable {
  /// The verdict on one metric.
  public enum Verdict: String, Sendable, Codable {
    /// The interval includes zero.
    case withinNoise
    /// The interval lies above zero.
    case higher
    /// The interval lies below zero.
    case lower
    /// A side has fewer than five samples, too few for a verdict.
    case tooFewSamples
  }

  /// One metric of one record that is in both reports.
  public struct Row: Equatable, Sendable {
    /// The record as text.
    public var subject: String
    /// Name of the metric.
    public var metric: String
    /// Median before.
    public var before: Double
    /// Median after.
    public var after: Double
    /// The interval of the difference; nil with too few samples.
    public var interval: BootstrapInterval?
    /// The verdict.
    public var verdict: Verdict
  }

  /// The rows, in the order of the first report.
  public var rows: [Row] = []
  /// Records that are in one report only, as text.
  public var unmatched: [String] = []
  /// The differences between the two machines, as text.
  public var machineDifferences: [String]

  /// Compares two reports record by record (same benchmark, subject and configuration).
  ///
  /// - Parameters:
  ///   - before: The first report.
  ///   - after: The second report.
  ///   - confidence: Confidence of the intervals, above 0 and below 1.
  public init(before: BenchReport, after: BenchReport, confidence: Double = 0.95) {
    machineDifferences = Self.differences(before.machine, after.machine)
    var remaining = after.records
    for record in before.records {
      guard let index = remaining.firstIndex(where: { $0.identity == record.identity }) else {
        unmatched.append("only before: \(record.words)")
        continue
      }
      let other = remaining.remove(at: index)
      for metric in record.samples.keys.sorted() {
        guard let a = record.samples[metric], let b = other.samples[metric],
          let medianBefore = a.median,
          let medianAfter = b.median
        else { continue }
        let interval =
          min(a.count, b.count) < Self.fewestSamples
          ? nil : BootstrapInterval.medianDifference(from: a, to: b, confidence: confidence)
        rows.append(
          Row(
            subject: record.words,
            metric: metric,
            before: medianBefore,
            after: medianAfter,
            interval: interval,
            verdict: Self.verdict(interval),
          )
        )
      }
    }
    unmatched += remaining.map { "only after: \($0.words)" }
  }

  /// Rows whose change is beyond the noise.
  public var changes: [Row] { rows.filter { $0.verdict == .higher || $0.verdict == .lower } }

  /// The rows as a table for the terminal, with what else a reader must know.
  public var table: String {
    let figures = Table(
      ["record", "metric", "before", "after", "difference", "interval", "verdict"],
      wordColumns: 2,
      rows: rows.map { row in
        func text(_ value: Double) -> String { ReportColumn.text(value, decimals: 3) }
        return [
          row.subject, row.metric, text(row.before), text(row.after), text(row.after - row.before),
          row.interval.map { "\(text($0.lower)) … \(text($0.upper))" } ?? "–",
          row.verdict.rawValue,
        ]
      },
    )
    let notes = machineDifferences.map { "the machines differ: \($0)" } + unmatched
    return BenchReport.text(of: figures) + notes.map { $0 + "\n" }.joined()
  }

  private static func verdict(_ interval: BootstrapInterval?) -> Verdict {
    guard let interval else { return .tooFewSamples }
    guard interval.excludesZero else { return .withinNoise }
    return interval.lower > 0 ? .higher : .lower
  }

  private static func differences(
    _ before: MachineDescription,
    _ after: MachineDescription,
  ) -> [String] {
    let fields: [(String, String, String)] = [
      ("kernel", before.kernel, after.kernel),
      ("preemption", before.preemption, after.preemption),
      ("processor", before.processor, after.processor),
      ("processors", "\(before.processorCount)", "\(after.processorCount)"),
      ("governor", before.governor ?? "none", after.governor ?? "none"),
      (
        "real-time priority limit", "\(before.realtimePriorityLimit)",
        "\(after.realtimePriorityLimit)",
      ),
      ("server", before.server ?? "none", after.server ?? "none"),
    ]
    return fields.filter { $0.1 != $0.2 }.map { "\($0.0) was \($0.1), is \($0.2)" }
  }

  /// A bootstrap of the median is meaningless with fewer samples.
  private static let fewestSamples = 5
}
