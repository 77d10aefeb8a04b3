// SPDX-License-Identifier: MIT

/// A text that is not YAML, or that has more than may be read.
///
/// Pure value: [any-thread].
package struct YAMLFault: Error, Equatable, Sendable {
  /// The kinds of faults.
  package enum Kind: Equatable, Sendable {
    /// The file has nothing but comments.
    case noDocument
    /// The document has no value.
    case emptyDocument
    /// A second document begins.
    case secondDocument
    /// A value has a tag.
    case tag(String)
    /// Lists and mappings are more than ``YAMLComposer/depthLimit`` deep.
    case tooDeep
    /// A value has more than ``YAMLComposer/scalarLimit`` bytes.
    case longValue
    /// The text has more than ``YAMLComposer/nodeLimit`` values.
    case tooMany
    /// An alias has no anchor above it; these are there.
    case alias(String, anchors: [String])
    /// The memory is used up.
    case noMemory
    /// The scanner's own words.
    case syntax(String)
    /// A sentence of the reader of a kind of file.
    case other(String)
  }

  /// The place.
  package var position: SourcePosition
  /// The fault.
  package var kind: Kind

  /// A fault at a place.
  package init(position: SourcePosition, _ kind: Kind) {
    self.position = position
    self.kind = kind
  }

  /// One sentence for a reader that knows no more than that the file is YAML.
  package var plainMessage: String {
    switch kind {
    case .noDocument: "the file is empty"
    case .emptyDocument: "the document is empty"
    case .secondDocument: "a second document; the file holds one"
    case .tag: "a value with a tag; the file has no tags"
    case .tooDeep: "lists and mappings more than \(YAMLComposer.depthLimit) deep"
    case .longValue: "a value longer than \(YAMLComposer.scalarLimit) bytes"
    case .tooMany:
      "more than \(YAMLComposer.nodeLimit) values; the values behind an alias count each time"
    case .alias(let name, _):
      "the alias '*\(name)' has no anchor; write '&\(name)' before a value above it"
    case .noMemory: "not enough memory to read the file"
    case .syntax(let problem): YAMLSyntaxHint.message(for: problem)
    case .other(let message): message
    }
  }
}

/// Adds advice for authors of files to the scanner's messages. [any-thread]
private enum YAMLSyntaxHint {
  private static let hints: [(part: String, hint: String)] = [
    ("cannot start any token", "indent with spaces, and put text that starts like this in quotes"),
    ("tab character", "indent with spaces"),
    ("mapping values are not allowed", "put text with ': ' in it in quotes, or check the indent"),
    ("could not find expected ':'", "write 'key: value'"),
    ("did not find expected key", "check the indent, and the quotes and brackets of this value"),
    ("did not find expected '-' indicator", "entries of one list start in one column with '- '"),
    ("did not find expected ',' or", "a bracket is not closed or a comma is missing"),
    ("did not find expected <document start>", "only one document; check the indent"),
    ("unexpected end of stream", "a quote is not closed"),
    ("unknown escape character", "in double quotes write '\\\\' for a backslash, or use '…'"),
    ("control characters", "remove it, or write it as '\\x..' in double quotes"),
    ("block sequence entries are not allowed", "put the list on a new line, or write [a, b]"),
  ]

  static func message(for problem: String) -> String {
    let hint = hints.first { problem.contains($0.part) }?.hint
    return "not YAML: \(problem)" + (hint.map { "; \($0)" } ?? "")
  }
}
