// SPDX-License-Identifier: MIT

extension GraphFile {
  /// Reads and checks the graph file at `path`.
  ///
  /// - Parameters:
  ///   - path: Absolute, or relative to the working directory. At most 1 MiB of UTF-8.
  ///   - files: Tells whether the media files named in the graph exist.
  /// - Returns: A graph without faults.
  /// - Throws: All the faults of the file, or the one that kept it from being read.
  ///
  /// [any-thread]
  public static func load(
    path: String,
    files: FileProbe = .disk,
  ) throws(GraphFileErrors) -> GraphFile {
    fatalError("unwritten")
  }

  /// Reads and checks the text of a graph file.
  ///
  /// - Parameters:
  ///   - text: YAML, at most 1 MiB.
  ///   - path: Where the text comes from: named in errors, and the start of relative media paths.
  ///   - files: Tells whether the media files named in the graph exist.
  /// - Returns: A graph without faults.
  /// - Throws: All the faults of the text.
  ///
  /// [any-thread]
  public static func parse(
    _ text: String,
    path: String,
    files: FileProbe = .disk,
  ) throws(GraphFileErrors) -> GraphFile {
    fatalError("unwritten")
  }
}
