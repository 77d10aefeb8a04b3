// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import SystemSupport

extension BenchReport {
  /// Writes report.jsonl, report.csv, report.html, and each picture as SVG and PNG.
  ///
  /// - Parameter directory: The target folder; made if missing.
  /// - Returns: The written files, and a note for each omission (such as PNG without `rsvg-convert`).
  /// - Throws: ``LabError`` `badFile`.
  public func writeAll(
    toDirectory directory: String,
  ) async throws(LabError) -> (files: [String], notes: [String]) {
    try OutputFile.makeDirectory(directory)
    var files: [String] = []
    var notes: [String] = []
    func write(_ text: String, _ name: String) throws(LabError) {
      try OutputFile.write(text, to: "\(directory)/\(name)")
      files.append("\(directory)/\(name)")
    }
    try write(jsonLines, "report.jsonl")
    try write(csv, "report.csv")
    try write(html, "report.html")
    for picture in pictures {
      let path = "\(directory)/\(picture.name)"
      try write(picture.svg, "\(picture.name).svg")
      let arguments = ["--zoom", "2", "--output", "\(path).png", "\(path).svg"]
      switch await SystemTool.run("rsvg-convert", arguments) {
      case 0:
        files.append("\(path).png")
      case nil:
        notes.append("\(path).png was left out: install rsvg-convert (Debian: librsvg2-bin)")
      case let status?:
        notes.append("\(path).png was left out: rsvg-convert ended with status \(status)")
      }
    }
    return (files, notes)
  }
}

extension BenchReport {
  /// The metrics as comma-separated values (RFC 4180): one row per record and metric.
  public var csv: String {
    var rows = [
      [
        "benchmark", "subject", "sampleRateHz", "bufferFrames", "isSynchronous", "chainedClients",
        "metric", "value",
      ]
    ]
    for record in records {
      let configuration = record.configuration
      for (metric, value) in record.metrics.sorted(by: { $0.key < $1.key }) {
        rows.append([
          record.benchmark, record.subject, "\(configuration.sampleRateHz)",
          "\(configuration.bufferFrames)",
          configuration.isSynchronous.map(String.init(describing:)) ?? "",
          "\(configuration.chainedClients)", metric, "\(value)",
        ])
      }
    }
    return rows.map { $0.map(Self.quoted).joined(separator: ",") + "\r\n" }.joined()
  }

  private static func quoted(_ field: String) -> String {
    guard field.contains(where: { ",\"\r\n".contains($0) }) else { return field }
    return "\""
      + field.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
  }
}

/// Files that reports are written to.
///
/// Belongs to the control thread.
enum OutputFile {
  /// Replaces a file in one step, so that a killed writer leaves the old one.
  static func write(_ text: String, to path: String) throws(LabError) {
    do {
      try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw LabError(.badFile, "\(path): cannot be written")
    }
  }

  /// Adds text to the end of a file, in one write.
  static func append(_ text: String, to path: String) throws(LabError) {
    let file = unsafe open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
    defer { if file >= 0 { close(file) } }
    let bytes = Array(text.utf8)
    let written = file < 0 ? -1 : unsafe Glibc.write(file, bytes, bytes.count)
    guard written == bytes.count else {
      throw LabError(.badFile, "\(path): cannot be added to")
    }
  }

  /// Makes a directory and those above it.
  static func makeDirectory(_ path: String) throws(LabError) {
    do {
      try FileManager.default.createDirectory(
        at: URL(filePath: path),
        withIntermediateDirectories: true,
      )
    } catch {
      throw LabError(.badFile, "\(path): cannot be made")
    }
  }
}

/// Runs a program of the system to its end.
private enum SystemTool {
  /// Runs a program found by its name, without input; its output goes where this process's does.
  ///
  /// - Returns: Its exit status, or 128 and the signal's number; nil where there is no such program.
  ///
  /// [any-thread]
  static func run(_ name: String, _ arguments: [String]) async -> Int32? {
    let child = try? ChildProcess.start(
      name,
      arguments,
      bond: .bound,
      output: .inherited,
      errors: .inherited,
    )
    return await child?.exit(within: nil)?.shellCode
  }
}
