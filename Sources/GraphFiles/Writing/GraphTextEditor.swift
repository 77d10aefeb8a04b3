// SPDX-License-Identifier: MIT

internal import YAML

/// A change that cannot be made in the text of a graph.
///
/// Pure value: [any-thread].
struct GraphTextFault: Error {
  /// One sentence with the place.
  let message: String
}

/// Changes single values in the text of a graph file; everything else stays as it is, character for character.
///
/// Pure value: [any-thread].
struct GraphTextEditor {
  typealias Step = SourceMap.Step

  /// The text without a byte order mark, by which the reader counts.
  private(set) var scalars: [Unicode.Scalar]
  private(set) var root: YAMLNode
  private let mark: [Unicode.Scalar]
  /// The line break of the file's first line.
  let lineBreak: [Unicode.Scalar]

  /// Reads a text.
  ///
  /// - Throws: The fault of a text that is not YAML.
  init(_ text: String) throws(YAMLComposer.SyntaxError) {
    let all = Array(text.unicodeScalars)
    mark = all.first == "\u{FEFF}" ? ["\u{FEFF}"] : []
    scalars = Array(all.dropFirst(mark.count))
    let end = scalars.firstIndex { $0 == "\n" || $0 == "\r" } ?? scalars.count
    let breaks = scalars[end...].prefix(2)
    lineBreak = breaks == ["\r", "\n"] ? ["\r", "\n"] : [breaks.first == "\r" ? "\r" : "\n"]
    root = try YAMLComposer.compose(text)
  }

  /// The present text.
  var text: String { Self.string(mark + scalars) }

  /// The text of scalars.
  static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  // MARK: - Values

  /// Sets a key of the mapping at a path, which is made where it is missing.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - path: The steps to the mapping.
  ///   - value: The value in flow style.
  ///   - style: Writes the value as the present text is written.
  /// - Throws: The reason for which the text cannot have this value alone.
  mutating func set(
    _ key: String,
    at path: [Step],
    to value: YAMLValue,
    style: (_ present: String) -> String? = { _ in nil },
  ) throws(GraphTextFault) {
    var node = root
    for (index, step) in path.enumerated() {
      guard let next = node.child(step) else {
        var inner = YAMLValue.keys([(YAMLValue(key), value)])
        for case .key(let name) in path[(index + 1)...].reversed() {
          inner = YAMLValue.keys([(YAMLValue(name), inner)])
        }
        guard case .key(let name) = step else { throw fault(path, "is not there") }
        return try insert(name, inner, into: node)
      }
      try checkUnshared(next, path.prefix(index + 1))
      node = next
    }
    guard let present = node.entry(key)?.value else { return try insert(key, value, into: node) }
    guard present.alias == nil else {
      return try replace(present.span, with: value.line)
    }
    try checkUnshared(present, path + [.key(key)])
    let span = contentSpan(of: present)
    try replace(span, with: style(Self.string(scalars[span])) ?? value.line)
  }

  /// Adds an entry to the end of a block or flow mapping.
  private mutating func insert(_ key: String, _ value: YAMLValue, into node: YAMLNode)
    throws(GraphTextFault)
  {
    guard case .mapping(let entries) = node.content else {
      throw GraphTextFault(message: "\(key): \(node.kind) where a mapping is needed")
    }
    let text = "\(key): \(value.line)"
    let start = contentSpan(of: node).lowerBound
    let isFlow = start < scalars.count && scalars[start] == "{"
    guard let last = entries.last else {
      return try replace(start + 1..<start + 1, with: text)
    }
    let end = max(last.key.span.upperBound, last.value.span.upperBound)
    if isFlow { return try replace(end..<end, with: ", " + text) }
    let indent = String(repeating: " ", count: max(0, entries[0].key.position.column - 1))
    try insertLine(indent + text, after: end)
  }

  // MARK: - Text

  /// Adds a line behind the one with a character.
  mutating func insertLine(_ line: String, after index: Int) throws(GraphTextFault) {
    let end = lineEnd(index)
    try replace(end..<end, with: Self.string(lineBreak) + line)
  }

  /// Replaces characters, and reads the text again.
  mutating func replace(_ span: Range<Int>, with new: String) throws(GraphTextFault) {
    scalars.replaceSubrange(span, with: Array(new.unicodeScalars))
    do {
      root = try YAMLComposer.compose(text)
    } catch {
      throw GraphTextFault(message: "a value cannot be written there: \(error.message)")
    }
  }

  /// The end of the line with a character, before its line break.
  func lineEnd(_ index: Int) -> Int {
    scalars[index...].firstIndex { $0 == "\n" || $0 == "\r" } ?? scalars.count
  }

  /// The first character of the line with a character.
  func lineStart(_ index: Int) -> Int {
    scalars[..<index].lastIndex { $0 == "\n" || $0 == "\r" }.map { $0 + 1 } ?? 0
  }

  /// The characters of a value behind its anchor.
  func contentSpan(of node: YAMLNode) -> Range<Int> {
    guard let anchor = node.anchor else { return node.span }
    let behind = node.span.lowerBound + 1 + anchor.unicodeScalars.count
    let start = scalars[behind...].firstIndex { !$0.properties.isWhitespace } ?? behind
    return start..<max(start, node.span.upperBound)
  }

  // MARK: - Anchors

  /// Refuses a value that stands for others too.
  func checkUnshared(_ node: YAMLNode, _ path: some Sequence<Step>) throws(GraphTextFault) {
    if let alias = node.alias {
      throw fault(path, "is the alias '*\(alias)'; write its values out first")
    }
    if let anchor = node.anchor, root.hasAlias(of: anchor) {
      throw fault(path, "is also the value of the alias '*\(anchor)'; write that one out first")
    }
  }

  private func fault(_ path: some Sequence<Step>, _ fault: String) -> GraphTextFault {
    let place = path.map { step in
      switch step {
      case .key(let key): key
      case .index(let index): "\(index + 1)"
      }
    }
    return GraphTextFault(message: "\(place.joined(separator: ".")): it \(fault)")
  }
}

extension YAMLNode {
  /// Whether an alias of this anchor is in the tree.
  fileprivate func hasAlias(of anchor: String) -> Bool {
    if let alias { return alias == anchor }
    return switch content {
    case .scalar: false
    case .sequence(let nodes): nodes.contains { $0.hasAlias(of: anchor) }
    case .mapping(let entries): entries.contains { $0.value.hasAlias(of: anchor) }
    }
  }
}
