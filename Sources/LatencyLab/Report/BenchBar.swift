// SPDX-License-Identifier: MIT

import FoundationEssentials

/// A bar that a figure must clear, such as `wakeUp.p99.microseconds <= 200`.
///
/// A plain value: [any-thread].
public struct BenchBar: Equatable, Sendable, CustomStringConvertible {
  /// The comparison of the figure with the limit.
  public enum Comparison: String, Sendable, CaseIterable {
    /// At most the limit.
    case atMost = "<="
    /// At least the limit.
    case atLeast = ">="
    /// Exactly the limit.
    case equal = "=="
    /// Below the limit.
    case below = "<"
    /// Above the limit.
    case above = ">"

    /// Whether a value clears the limit.
    func holds(_ value: Double, _ limit: Double) -> Bool {
      switch self {
      case .atMost: value <= limit
      case .atLeast: value >= limit
      case .equal: value == limit
      case .below: value < limit
      case .above: value > limit
      }
    }
  }

  /// Name of the metric.
  public var metric: String
  /// The comparison.
  public var comparison: Comparison
  /// The limit, in the metric's unit.
  public var limit: Double

  /// The answer of a measurement to a bar.
  public enum Verdict: String, Sendable {
    /// The figure, or its whole interval, clears the bar.
    case cleared
    /// The figure, or its whole interval, misses the bar; so does a figure that nobody measured.
    case missed
    /// The bar lies within the figure's interval: the noise is too strong to tell.
    case undecided
  }

  /// A bar and the measured value.
  public struct Finding: Equatable, Sendable, CustomStringConvertible {
    /// The bar.
    public var bar: BenchBar
    /// The record of the figure, as text.
    public var subject: String
    /// The figure; nil where no record has it, or where it is lost in the noise.
    public var value: Double?
    /// The figure's 95 % interval; nil without one.
    public var interval: ClosedRange<Double>?
    /// The answer of the figure to the bar.
    public var verdict: Verdict

    /// The finding in one line.
    public var description: String {
      "\(verdict.rawValue): \(bar): \(figure) (\(subject))"
    }

    private var figure: String {
      func text(_ value: Double) -> String { ReportColumn.text(value, decimals: 3) }
      guard let interval else { return value.map(text) ?? "no such metric was measured" }
      if verdict == .undecided {
        return BenchRecord.noise(interval.lowerBound, interval.upperBound)
      }
      let ends = "\(text(interval.lowerBound)) … \(text(interval.upperBound))"
      return value.map { "\(text($0)) (\(ends))" } ?? ends
    }
  }

  /// Makes a bar from its parts.
  init(_ metric: String, _ comparison: Comparison, _ limit: Double) {
    self.metric = metric
    self.comparison = comparison
    self.limit = limit
  }

  /// Reads a bar.
  ///
  /// - Parameter text: Metric, comparison (`<=`, `>=`, `<`, `>`, `==`) and number.
  /// - Throws: ``LabError`` `badOption` with the allowed form.
  public init(parsing text: String) throws(LabError) {
    for comparison in Comparison.allCases {
      guard let range = text.firstRange(of: comparison.rawValue) else { continue }
      func trimmed(_ part: Substring) -> String {
        String(part.split(whereSeparator: \.isWhitespace).joined(separator: " "))
      }
      let metric = trimmed(text[..<range.lowerBound])
      let number = trimmed(text[range.upperBound...])
      guard !metric.isEmpty, !metric.contains(" "), let limit = Double(number), limit.isFinite
      else { break }
      self.metric = metric
      self.comparison = comparison
      self.limit = limit
      return
    }
    throw LabError(
      .badOption,
      "bar \"\(text)\": allowed is a metric, one of <= >= < > ==, and a number, such as "
        + "\"wakeUp.p99.microseconds <= 200\"",
    )
  }

  /// Reads bars from a file: one a line, `#` begins a comment.
  ///
  /// - Parameter path: The file.
  /// - Returns: The bars.
  /// - Throws: ``LabError`` `badFile` or `badOption` with the line.
  public static func bars(inFile path: String) throws(LabError) -> [BenchBar] {
    guard let data = try? Data(contentsOf: URL(filePath: path)) else {
      throw LabError(.badFile, "\(path): cannot be read")
    }
    var bars: [BenchBar] = []
    let lines = String(decoding: data, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let text = line.prefix { $0 != "#" }
      guard text.contains(where: { !$0.isWhitespace }) else { continue }
      do throws(LabError) {
        bars.append(try BenchBar(parsing: String(text)))
      } catch {
        throw LabError(error.code, "\(path):\(index + 1): \(error.description)")
      }
    }
    return bars
  }

  /// Holds the bars against every record that has their metric.
  ///
  /// - Parameters:
  ///   - bars: The bars.
  ///   - records: The records.
  /// - Returns: One finding per bar and record; a bar that no record has a figure for is a miss.
  public static func check(_ bars: [BenchBar], against records: [BenchRecord]) -> [Finding] {
    bars.flatMap { bar -> [Finding] in
      let findings = records.compactMap(bar.finding)
      guard findings.isEmpty else { return findings }
      return [Finding(bar: bar, subject: "no record", value: nil, verdict: .missed)]
    }
  }

  /// Holds the bar against a record; nil where the record has neither figure nor interval.
  private func finding(_ record: BenchRecord) -> Finding? {
    let value = record.metrics[metric]
    let interval = record.interval(of: metric)
    let ends = interval.map { [$0.lowerBound, $0.upperBound] } ?? value.map { [$0] } ?? []
    guard !ends.isEmpty else { return nil }
    let cleared = ends.count { comparison.holds($0, limit) }
    // A cost below zero is none: what it is measured above costs more than the subject.
    let isAbsurd = value == nil && ends.allSatisfy { $0 <= 0 }
    return Finding(
      bar: self,
      subject: record.words,
      value: value,
      interval: interval,
      verdict: isAbsurd
        ? .undecided : cleared == ends.count ? .cleared : cleared == 0 ? .missed : .undecided,
    )
  }

  /// The bar as it is written.
  public var description: String { "\(metric) \(comparison.rawValue) \(limit)" }
}
