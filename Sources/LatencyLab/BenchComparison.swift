// SPDX-License-Identifier: MIT

/// What changed between two reports beyond the noise.
public struct BenchComparison: Equatable, Sendable {
  /// The verdict on one metric.
  public enum Verdict: String, Sendable, Codable {
    /// The interval includes zero, or there are too few samples to tell.
    case withinNoise
    /// The interval lies above zero.
    case higher
    /// The interval lies below zero.
    case lower
  }

  /// One metric of one record that is in both reports.
  public struct Row: Equatable, Sendable {
    /// The record, in words.
    public var subject: String
    /// Name of the metric.
    public var metric: String
    /// Median before.
    public var before: Double
    /// Median after.
    public var after: Double
    /// The interval of the difference; nil with fewer than three samples on a side.
    public var interval: BootstrapInterval?
    /// The verdict.
    public var verdict: Verdict
  }

  /// The rows, in the order of the first report.
  public var rows: [Row]
  /// Records that are in one report only, in words.
  public var unmatched: [String]
  /// What differs between the two machines, in words.
  public var machineDifferences: [String]

  /// Compares two reports record by record (same benchmark, subject and configuration).
  ///
  /// - Parameters:
  ///   - before: The first report.
  ///   - after: The second report.
  ///   - confidence: Confidence of the intervals.
  public init(before: BenchReport, after: BenchReport, confidence: Double = 0.95) {
    fatalError("unwritten")
  }

  /// The rows as a table for the terminal.
  public var table: String { fatalError("unwritten") }
}
