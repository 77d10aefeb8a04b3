// SPDX-License-Identifier: MIT

internal import YAML

/// Finds the place in the file of a value of the graph.
///
/// Pure value: [any-thread].
struct SourceMap {
  /// One step down the document: a key of a mapping or an index of a list.
  enum Step: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    case key(String)
    case index(Int)

    init(stringLiteral key: String) { self = .key(key) }
    init(integerLiteral index: Int) { self = .index(index) }
  }

  let root: YAMLNode

  /// The position of the value at the end of `path`, or of the last step that exists.
  func position(_ path: Step...) -> SourcePosition { position(of: path) }

  /// The same for a path in a list.
  func position(of path: [Step]) -> SourcePosition {
    var node = root
    for step in path {
      guard let next = node.child(step) else { break }
      node = next
    }
    return node.position
  }

  /// The position of the key at the end of `path`, or of the last step that exists.
  func keyPosition(_ path: Step...) -> SourcePosition { keyPosition(of: path) }

  /// The same for a path in a list.
  func keyPosition(of path: [Step]) -> SourcePosition {
    var node = root
    var position = root.position
    for step in path {
      if case .key(let key) = step, let entry = node.entry(key) { position = entry.key.position }
      guard let next = node.child(step) else { break }
      node = next
    }
    return position
  }
}

extension YAMLNode {
  /// The entry of a mapping with this key. [any-thread]
  func entry(_ key: String) -> Entry? {
    guard case .mapping(let entries) = content else { return nil }
    return entries.first { entry in
      if case .scalar(key, _) = entry.key.content { true } else { false }
    }
  }

  /// The value one step further down. [any-thread]
  func child(_ step: SourceMap.Step) -> YAMLNode? {
    switch (step, content) {
    case (.key(let key), _):
      return entry(key)?.value
    case (.index(let index), .sequence(let nodes)) where nodes.indices.contains(index):
      return nodes[index]
    default:
      return nil
    }
  }
}
