// SPDX-License-Identifier: MIT

/// A value of a YAML document with its place; aliases are replaced by what they stand for.
struct YAMLNode {
  enum Content {
    /// Text; plain if it has no quotes around it, which tells `true` from `"true"`.
    case scalar(String, isPlain: Bool)
    case sequence([YAMLNode])
    case mapping([Entry])
  }

  struct Entry {
    var key: YAMLNode
    var value: YAMLNode
  }

  var content: Content
  var position: SourcePosition

  /// Whether nothing is written: `key:`, `~` or `null`.
  var isNull: Bool {
    guard case .scalar(let text, isPlain: true) = content else { return false }
    return ["", "~", "null"].contains(text)
  }

  /// What this is, in words for messages.
  var kind: String {
    switch content {
    case .scalar: isNull ? "nothing" : "a single value"
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }
}
