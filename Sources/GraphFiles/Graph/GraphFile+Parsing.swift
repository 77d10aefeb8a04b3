// SPDX-License-Identifier: MIT

internal import YAML

extension GraphFile {
  /// The largest graph file, in bytes.
  static let sizeLimit = 1 << 20

  /// Reads and checks the graph file at `path`.
  ///
  /// - Parameters:
  ///   - path: Absolute, or relative to the working directory. At most 1 MiB of UTF-8.
  ///   - files: Examines the media files that the graph file names.
  /// - Returns: A graph without faults.
  /// - Throws: All the faults of the file, or the one because of which it cannot be read.
  ///
  public static func load(
    path: String,
    files: FileProbe = .disk,
  ) throws(GraphFileErrors) -> GraphFile {
    try parse(text(ofFile: path), path: path, files: files)
  }

  /// Reads the text of a graph file, which may have faults.
  ///
  /// - Parameter path: Absolute, or relative to the working directory. At most 1 MiB of UTF-8.
  /// - Returns: The text.
  /// - Throws: The fault because of which it cannot be read.
  ///
  public static func text(ofFile path: String) throws(GraphFileErrors) -> String {
    do {
      return try GraphFileText.read(path, sizeLimit: sizeLimit)
    } catch {
      throw GraphFileErrors(path, error.position, error.message)
    }
  }

  /// Reads and checks the text of a graph file, and the policy files that it includes.
  ///
  /// - Parameters:
  ///   - text: YAML, at most 1 MiB.
  ///   - path: The file of the text: named in errors, and the start of relative media paths.
  ///   - files: Examines the media files that the graph file names.
  /// - Returns: A graph without faults.
  /// - Throws: All the faults of the text.
  ///
  public static func parse(
    _ text: String,
    path: String,
    files: FileProbe = .disk,
  ) throws(GraphFileErrors) -> GraphFile {
    guard text.utf8.count <= sizeLimit else {
      throw GraphFileErrors(path, .start, GraphFileText.tooLarge(sizeLimit))
    }
    let log = DiagnosticLog(file: path, text: text)
    var graph = GraphFile(path: path)
    var logs = [log]
    do {
      let root = try YAMLComposer.compose(text)
      var reading = GraphReading(graphPath: path)
      graph = GraphFile(root: root, path: path, files: files, log: log, reading: &reading)
      GraphChecks(graph, reading, root: root, log: log).check()
      logs += reading.policies.logs
    } catch {
      log.error(at: error.position, error.message)
    }
    let faults = logs.flatMap { $0.errors?.diagnostics ?? [] }
    if !faults.isEmpty { throw GraphFileErrors(diagnostics: faults) }
    return graph
  }
}

extension GraphFileErrors {
  /// The one fault because of which a file cannot be read.
  fileprivate init(_ path: String, _ position: SourcePosition, _ message: String) {
    diagnostics = [
      GraphDiagnostic(
        file: path,
        line: position.line,
        column: position.column,
        message: message,
      )
    ]
  }
}
