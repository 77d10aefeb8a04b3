// SPDX-License-Identifier: MIT

/// Puts the scanner's words into those of somebody who writes a graph file.
enum YAMLSyntaxHint {
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
    // The scanner reads ahead of our own count, and has a limit of its own.
    if problem.contains("nesting level") { return YAMLComposer.tooDeep }
    let hint = hints.first { problem.contains($0.part) }?.hint
    return "not YAML: \(problem)" + (hint.map { "; \($0)" } ?? "")
  }
}
