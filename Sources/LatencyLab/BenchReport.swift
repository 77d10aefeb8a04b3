// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A report: a header of the machine and the records, kept as JSON lines.
public struct BenchReport: Equatable, Sendable {
  /// The schema this version writes and the only one it reads.
  public static let schemaVersion = 1

  /// The machine it was made on.
  public var machine: MachineDescription
  /// When it was begun.
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
    self.createdAt = createdAt
    self.records = records
  }

  /// Reads a report; a last line that was cut off (a killed writer) is left out.
  ///
  /// - Parameter path: The file.
  /// - Throws: ``LabError`` `badFile` with the line and the fault.
  public init(contentsOf path: String) throws(LabError) {
    fatalError("unwritten")
  }

  /// Writes the whole report as JSON lines.
  ///
  /// - Parameter path: The file, replaced.
  /// - Throws: ``LabError`` `badFile`.
  public func write(to path: String) throws(LabError) {
    fatalError("unwritten")
  }

  /// The report as JSON lines, each ending with a line feed.
  public var jsonLines: String { fatalError("unwritten") }

  /// The metrics as comma-separated values: one row per record and metric.
  public var csv: String { fatalError("unwritten") }

  /// The metrics as a table for the terminal.
  public var table: String { fatalError("unwritten") }

  /// One self-contained HTML page with the tables and the pictures.
  public var html: String { fatalError("unwritten") }

  /// The pictures by file name without ending: SVG documents.
  public var pictures: [(name: String, svg: String)] { fatalError("unwritten") }

  /// Writes report.jsonl, report.csv, report.html, and each picture as SVG and PNG.
  ///
  /// - Parameter directory: Where to; made if missing.
  /// - Returns: The files written, and a note for what was left out (such as PNG without
  ///   `rsvg-convert`).
  /// - Throws: ``LabError`` `badFile`.
  public func writeAll(
    toDirectory directory: String,
  ) async throws(LabError) -> (files: [String], notes: [String]) {
    fatalError("unwritten")
  }
}
