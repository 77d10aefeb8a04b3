// SPDX-License-Identifier: MIT

/// A value of a YAML document with its place; aliases are replaced by their values.
///
/// Pure value: [any-thread].
package struct YAMLNode: Sendable {
  /// The kinds of values.
  package enum Content: Sendable {
    /// Text; plain if it has no quotes around it, which distinguishes `true` from `"true"`.
    case scalar(String, isPlain: Bool)
    /// A list.
    case sequence([YAMLNode])
    /// A mapping, in the order of the text; keys may be there twice.
    case mapping([Entry])
  }

  /// A key with its value.
  package struct Entry: Sendable {
    /// The key, which may be of any kind.
    package var key: YAMLNode
    /// The value.
    package var value: YAMLNode
  }

  /// The value itself.
  package var content: Content
  /// Its first character.
  package var position: SourcePosition
  /// Its characters with its anchor, in Unicode scalars from 0 behind a byte order mark; those of the alias
  /// itself for an alias.
  package var span = 0..<0
  /// The name of the anchor before it.
  package var anchor: String?
  /// The name of the alias that stands for it.
  package var alias: String?

  /// A value without a span.
  package init(content: Content, position: SourcePosition) {
    self.content = content
    self.position = position
  }

  /// Whether the value is empty: `key:`, `~` or `null`.
  package var isNull: Bool {
    guard case .scalar(let text, isPlain: true) = content else { return false }
    return ["", "~", "null"].contains(text)
  }

  /// The text of a single value; nil for a list or a mapping.
  package var text: String? {
    if case .scalar(let text, _) = content { text } else { nil }
  }

  /// The kind of value, for messages.
  package var kind: String {
    switch content {
    case .scalar: isNull ? "nothing" : "a single value"
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }
}
