// SPDX-License-Identifier: MIT

/// One thing on this machine that audio depends on, and how it stands.
public struct Finding: Sendable, Hashable, Encodable {
  /// How much a finding matters.
  public enum Severity: String, Sendable, Hashable, Encodable {
    /// As it should be.
    case ok
    /// Works, and could be better.
    case advice
    /// Keeps audio from being good.
    case problem
  }

  /// What was looked at, in a few words.
  public let subject: String
  /// How much it matters.
  public let severity: Severity
  /// What was found, with its values.
  public let found: String
  /// What it costs; nil where nothing is wrong.
  public let cost: String?
  /// The shell command that mends it, or in words what does; nil where nothing can or need be done.
  public let remedy: String?

  /// The finding as lines for a terminal, without line ends; the first one tells the severity.
  public var lines: [String] {
    let mark =
      switch severity {
      case .ok: "ok     "
      case .advice: "advice "
      case .problem: "PROBLEM"
      }
    let indent = String(repeating: " ", count: 9)
    return ["\(mark)  \(subject): \(found)"]
      + (cost.map { ["\(indent)costs: \($0)"] } ?? [])
      + (remedy.map { ["\(indent)mend:  \($0)"] } ?? [])
  }

  static func ok(_ subject: String, _ found: String) -> Finding {
    Finding(subject: subject, severity: .ok, found: found, cost: nil, remedy: nil)
  }

  static func advice(
    _ subject: String,
    _ found: String,
    cost: String,
    remedy: String? = nil,
  ) -> Finding {
    Finding(subject: subject, severity: .advice, found: found, cost: cost, remedy: remedy)
  }

  static func problem(
    _ subject: String,
    _ found: String,
    cost: String,
    remedy: String? = nil,
  ) -> Finding {
    Finding(subject: subject, severity: .problem, found: found, cost: cost, remedy: remedy)
  }
}
