// SPDX-License-Identifier: MIT

public import Sessions
internal import YAML

/// A file of events to rehearse a policy with: recorded by `run --event-log`, or written by a person.
///
/// Pure value: [any-thread].
public enum EventFile: Sendable {
  /// A log that a host has recorded, in JSON lines.
  case recorded(EventLog)
  /// Events that a person has written, in YAML.
  case written(EventScript)

  /// The largest event file, in bytes.
  static let sizeLimit = 64 << 20

  /// Reads an event file.
  ///
  /// - Parameter path: Absolute, or relative to the working directory.
  /// - Returns: Its events.
  /// - Throws: All the faults of a written file, the first of a recorded one, or why it cannot be read.
  public static func load(path: String) throws(GraphFileErrors) -> EventFile {
    let text: String
    do {
      text = try GraphFileText.read(path, sizeLimit: sizeLimit)
    } catch {
      throw fault(path, error.position.line, error.message)
    }
    guard text.hasPrefix(#"{"multirouteEventLog":"#) else {
      guard text.utf8.count <= GraphFile.sizeLimit else {
        throw fault(path, 1, GraphFileText.tooLarge(GraphFile.sizeLimit))
      }
      return .written(try EventScript.parse(text, path: path))
    }
    do throws(EventLogError) {
      let log = try EventLog(jsonLines: text)
      try log.checkOrder()
      return .recorded(log)
    } catch {
      throw fault(path, error.line, error.message)
    }
  }

  private static func fault(_ path: String, _ line: Int, _ message: String) -> GraphFileErrors {
    GraphFileErrors(diagnostics: [
      GraphDiagnostic(file: path, line: line, column: 1, message: message)
    ])
  }
}
