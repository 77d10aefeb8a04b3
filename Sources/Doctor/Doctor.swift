// SPDX-License-Identifier: MIT

internal import SystemSupport

/// Examination of this machine for faults that disturb audio.
///
/// Reads files and asks the system, without any change.
///
/// [any-thread]
public enum Doctor {
  /// Examines this machine, as the calling process sees it. [any-thread]
  ///
  /// - Returns: All findings, good and bad, group by group.
  public static func examine() -> [Finding] { examine(Machine()) }

  /// The finding about real-time scheduling, where it is not allowed for the calling process; nil where it is. [any-thread]
  public static func realtimeProblem() -> Finding? { realtimeProblem(on: Machine()) }

  static func realtimeProblem(on machine: Machine) -> Finding? {
    let finding = machine.realtimePriority()
    return finding.severity == .problem ? finding : nil
  }

  static func examine(_ machine: Machine) -> [Finding] {
    machine.limits() + machine.processor() + machine.kernel() + machine.servers()
      + machine.sharedMemory() + machine.devices()
  }
}

/// State of one thing on this machine that audio depends on.
///
/// Pure value: [any-thread].
public struct Finding: Sendable, Hashable, Encodable {
  /// Importance of a finding.
  public enum Severity: String, Sendable, Hashable, Encodable {
    /// As it should be.
    case ok
    /// Works, and could be better.
    case advice
    /// Disturbs audio.
    case problem
  }

  /// The subject, in a few words.
  public let subject: String
  /// Importance of the finding.
  public let severity: Severity
  /// Its state, with values.
  public let found: String
  /// The consequence for audio; nil without a fault.
  public let cost: String?
  /// A shell command, or an instruction in words, that mends it; nil without one.
  public let remedy: String?

  /// The finding as lines for a terminal, without line ends; the first one begins with the severity.
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
