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

  /// A bar and the measured value.
  public struct Finding: Equatable, Sendable, CustomStringConvertible {
    /// The bar.
    public var bar: BenchBar
    /// The record of the figure, as text.
    public var subject: String
    /// The figure; nil where no record has it, which counts as a miss.
    public var value: Double?
    /// Whether the bar was cleared.
    public var isCleared: Bool

    /// The finding in one line.
    public var description: String {
      let figure = value.map { ReportColumn.text($0, decimals: 3) } ?? "no such metric was measured"
      return "\(isCleared ? "cleared" : "missed"): \(bar): \(figure) (\(subject))"
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
      let findings = records.compactMap { record in
        record.metrics[bar.metric].map { value in
          Finding(
            bar: bar,
            subject: record.words,
            value: value,
            isCleared: bar.comparison.holds(value, bar.limit),
          )
        }
      }
      guard findings.isEmpty else { return findings }
      return [Finding(bar: bar, subject: "no record", value: nil, isCleared: false)]
    }
  }

  /// The bar as it is written.
  public var description: String { "\(metric) \(comparison.rawValue) \(limit)" }
}
