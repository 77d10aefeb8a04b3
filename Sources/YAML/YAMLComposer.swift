// SPDX-License-Identifier: MIT

/// Builds the tree of a YAML text, within limits.
///
/// Pure value: [any-thread].
package struct YAMLComposer: ~Copyable {
  /// Lists and mappings inside each other as written; aliases may nest deeper, bounded by the next.
  package static let depthLimit = 24
  /// Values in one file; the values behind an alias count each time.
  package static let nodeLimit = 50_000

  /// A text that cannot be read.
  package typealias SyntaxError = YAMLFault

  /// The longest single value, in bytes: a JACK port name has at most 320, a path 4,096.
  package static let scalarLimit = 4_096

  private struct Anchored {
    var node: YAMLNode
    var size: Int
  }

  private var events: YAMLEvents
  private var anchors: [String: Anchored] = [:]
  private var nodeCount = 0
  /// The characters of the last end of a collection: none for one in block style.
  private var endSpan = 0..<0

  private init(_ text: String) {
    events = YAMLEvents(text)
  }

  /// Reads a text.
  ///
  /// - Parameter text: The text, of any length.
  /// - Returns: The root of its only document.
  /// - Throws: The first fault.
  package static func compose(_ text: String) throws(SyntaxError) -> YAMLNode {
    var composer = YAMLComposer(text)
    return try composer.document()
  }

  private mutating func document() throws(SyntaxError) -> YAMLNode {
    let start = try events.next()
    guard case .documentStart = start.event else {
      throw SyntaxError(position: .start, .noDocument)
    }
    guard let root = try node(events.next(), depth: 0) else {
      throw SyntaxError(position: start.position, .emptyDocument)
    }
    _ = try events.next()
    let next = try events.next()
    guard case .streamEnd = next.event else {
      throw SyntaxError(position: next.position, .secondDocument)
    }
    return root
  }

  /// The node that `item` begins, or nil if it ends a collection.
  private mutating func node(
    _ item: YAMLEvents.Item,
    depth: Int,
  ) throws(SyntaxError) -> YAMLNode? {
    if let tag = item.tag {
      throw SyntaxError(position: item.position, .tag(tag))
    }
    let before = nodeCount
    try take(1, at: item.position)
    guard depth <= Self.depthLimit else {
      throw SyntaxError(position: item.position, .tooDeep)
    }
    let content: YAMLNode.Content
    let anchor: String?
    switch item.event {
    case .scalar(let text, let isPlain, let name):
      guard text.utf8.count <= Self.scalarLimit else {
        throw SyntaxError(position: item.position, .longValue)
      }
      (content, anchor) = (.scalar(text, isPlain: isPlain), name)
    case .sequenceStart(let name):
      (content, anchor) = (.sequence(try sequence(depth: depth)), name)
    case .mappingStart(let name):
      (content, anchor) = (.mapping(try mapping(depth: depth)), name)
    case .alias(let name):
      var node = try alias(name, at: item.position)
      node.span = item.span
      node.anchor = nil
      node.alias = name
      return node
    case .end, .documentStart, .streamEnd:
      endSpan = item.span
      return nil
    }
    var node = YAMLNode(content: content, position: item.position)
    node.span = item.span.lowerBound..<end(of: content, item.span)
    node.anchor = anchor
    if let anchor {
      anchors[anchor] = Anchored(node: node, size: nodeCount - before)
    }
    return node
  }

  /// The end of a value: in block style that of its last part.
  private func end(of content: YAMLNode.Content, _ span: Range<Int>) -> Int {
    let last: Int?
    switch content {
    case .scalar: return span.upperBound
    case .sequence(let nodes): last = nodes.last?.span.upperBound
    case .mapping(let entries): last = entries.last?.value.span.upperBound
    }
    return endSpan.isEmpty ? max(last ?? 0, span.upperBound) : endSpan.upperBound
  }

  private mutating func sequence(depth: Int) throws(SyntaxError) -> [YAMLNode] {
    var nodes: [YAMLNode] = []
    while let next = try node(events.next(), depth: depth + 1) {
      nodes.append(next)
    }
    return nodes
  }

  private mutating func mapping(depth: Int) throws(SyntaxError) -> [YAMLNode.Entry] {
    var entries: [YAMLNode.Entry] = []
    while let key = try node(events.next(), depth: depth + 1),
      let value = try node(events.next(), depth: depth + 1)
    {
      entries.append(YAMLNode.Entry(key: key, value: value))
    }
    return entries
  }

  /// A copy of the value of the anchor `name`; faults in it are reported at the anchor.
  private mutating func alias(
    _ name: String,
    at position: SourcePosition,
  ) throws(SyntaxError) -> YAMLNode {
    guard let anchored = anchors[name] else {
      throw SyntaxError(position: position, .alias(name, anchors: anchors.keys.sorted()))
    }
    try take(anchored.size, at: position)
    return anchored.node
  }

  /// Counts `count` more values against the limit, before memory is taken for them.
  private mutating func take(_ count: Int, at position: SourcePosition) throws(SyntaxError) {
    nodeCount += count
    guard nodeCount <= Self.nodeLimit else {
      throw SyntaxError(position: position, .tooMany)
    }
  }
}
