// SPDX-License-Identifier: MIT

internal import YAML

/// A reason for which the text of a graph file was not changed.
///
/// Pure value: [any-thread].
public struct GraphRevisionFault: Error, Sendable, Equatable, CustomStringConvertible {
  /// A line for each fault.
  public let description: String
}

/// The text of a graph file with the values that users have set by hand.
///
/// Comments, order, quotes, units and line breaks stay as they are; a value that the file has already is not touched.
/// Pure value: [any-thread].
public struct GraphRevision: Sendable, Equatable {
  /// The new text.
  public let text: String
  /// The edits that changed the text.
  public let made: [GraphEdit]
  /// The edits for which the file has no place.
  public let leftOut: [GraphEdit]
  /// The graph of the new text, with values by hand as precise as edits have them.
  private let graph: GraphFile

  /// Changes a text, and reads the new one again: it must be the graph with these values, and nothing else.
  ///
  /// - Parameters:
  ///   - text: The text of a graph file.
  ///   - path: The file of the text, as ``GraphFile/parse(_:path:files:)`` takes it.
  ///   - files: Examines the media files that the graph file names.
  ///   - edits: The values, in the order of ``GraphFile/edits(to:always:)``.
  /// - Throws: The faults of the text, or the one value that it cannot have.
  public init(
    of text: String,
    path: String,
    files: FileProbe = .disk,
    edits: [GraphEdit],
  ) throws(GraphRevisionFault) {
    var graph = try Self.parse(text, path, files, "")
    var made: [GraphEdit] = []
    var leftOut: [GraphEdit] = []
    var edited = text
    do throws(YAMLComposer.SyntaxError) {
      var editor = try GraphTextEditor(text)
      for edit in edits where !graph.has(edit) {
        var changed = graph
        guard changed.apply(edit) else {
          leftOut.append(edit)
          continue
        }
        try Self.make(edit, in: &editor, of: graph, path)
        graph = changed
        made.append(edit)
      }
      edited = editor.text
    } catch {
      throw GraphRevisionFault(description: "\(path): \(error.message)")
    }
    if !made.isEmpty {
      let found = try Self.parse(edited, path, files, "the new text would have a fault: ")
      guard found.rounded == graph.rounded else {
        let values = made.map { "\($0.path.joined(separator: ".")): \($0.text)" }
        throw GraphRevisionFault(
          description: "\(path): the file cannot have these values and no others changed: "
            + values.joined(separator: ", ")
        )
      }
    }
    self.text = edited
    self.made = made
    self.leftOut = leftOut
    self.graph = graph.rounded
  }

  /// Whether the texts of two revisions for one file say the same, however they are written.
  public func isSameGraph(as other: GraphRevision) -> Bool { graph == other.graph }

  private static func make(
    _ edit: GraphEdit,
    in editor: inout GraphTextEditor,
    of graph: GraphFile,
    _ path: String,
  ) throws(YAMLComposer.SyntaxError) {
    do throws(GraphTextFault) {
      try editor.make(edit, in: graph)
    } catch {
      throw YAMLFault(position: .start, .other(error.message))
    }
  }

  private static func parse(
    _ text: String,
    _ path: String,
    _ files: FileProbe,
    _ prefix: String,
  ) throws(GraphRevisionFault) -> GraphFile {
    do {
      return try GraphFile.parse(text, path: path, files: files)
    } catch {
      throw GraphRevisionFault(description: prefix + error.description)
    }
  }
}
