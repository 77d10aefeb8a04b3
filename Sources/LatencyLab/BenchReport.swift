// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A report: a header of the machine and the records, kept as JSON lines.
public struct BenchReport: Equatable, Sendable {
  /// The schema this version writes and the only one it reads.
  public static let schemaVersion = 1

  /// The machine it was made on.
  public var machine: MachineDescription
  /// When it was begun, in whole seconds.
  public var createdAt: Date
  /// The results in the order they were made.
  public var records: [BenchRecord]

  /// Makes a report.
  ///
  /// - Parameters:
  ///   - machine: The machine it was made on.
  ///   - createdAt: When it was begun.
  ///   - records: The results.
  public init(machine: MachineDescription, createdAt: Date = Date(), records: [BenchRecord] = []) {
    self.machine = machine
    self.createdAt = createdAt.wholeSeconds
    self.records = records
  }
}

extension Date {
  /// The moment as reports keep it.
  var wholeSeconds: Date {
    Date(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate.rounded(.down))
  }
}
