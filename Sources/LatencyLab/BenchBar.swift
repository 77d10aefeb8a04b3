// SPDX-License-Identifier: MIT

/// A bar that a figure must clear, such as `wakeUp.p99.microseconds <= 200`.
public struct BenchBar: Equatable, Sendable, CustomStringConvertible {
  /// How the figure is compared with the limit.
  public enum Comparison: String, Sendable, CaseIterable {
    /// At most the limit.
    case atMost = "<="
    /// At least the limit.
    case atLeast = ">="
    /// Below the limit.
    case below = "<"
    /// Above the limit.
    case above = ">"
    /// Exactly the limit.
    case equal = "=="
  }

  /// Name of the metric.
  public var metric: String
  /// How it is compared.
  public var comparison: Comparison
  /// The limit, in the metric's unit.
  public var limit: Double

  /// A bar and what was found.
  public struct Finding: Equatable, Sendable, CustomStringConvertible {
    /// The bar.
    public var bar: BenchBar
    /// What the figure was measured on.
    public var subject: String
    /// The figure; nil where no record has it, which counts as a miss.
    public var value: Double?
    /// Whether the bar was cleared.
    public var isCleared: Bool
    /// The finding in one line.
    public var description: String { fatalError("unwritten") }
  }

  /// Reads a bar.
  ///
  /// - Parameter text: Metric, comparison (`<=`, `>=`, `<`, `>`, `==`) and number.
  /// - Throws: ``LabError`` `badOption` with what is allowed.
  public init(parsing text: String) throws(LabError) {
    fatalError("unwritten")
  }

  /// Reads bars from a file: one a line, `#` begins a comment.
  ///
  /// - Parameter path: The file.
  /// - Returns: The bars.
  /// - Throws: ``LabError`` `badFile` or `badOption` with the line.
  public static func bars(inFile path: String) throws(LabError) -> [BenchBar] {
    fatalError("unwritten")
  }

  /// Holds the bars against every record that has their metric.
  ///
  /// - Parameters:
  ///   - bars: The bars.
  ///   - records: The records.
  /// - Returns: One finding per bar and record; a bar that no record has a figure for is a miss.
  public static func check(_ bars: [BenchBar], against records: [BenchRecord]) -> [Finding] {
    fatalError("unwritten")
  }

  /// The bar as it is written.
  public var description: String { "\(metric) \(comparison.rawValue) \(limit)" }
}
