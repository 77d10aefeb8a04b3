// SPDX-License-Identifier: MIT

internal import YAML

/// A mapping with known keys, checked for unknown and repeated ones when made.
///
/// Pure value: [any-thread].
struct Section<Key: SectionKey> {
  /// The position for faults of the mapping as a whole: its name, if it has one.
  let position: SourcePosition
  let log: DiagnosticLog
  private var fields: [Key: Field] = [:]

  /// Reads the keys of `node`; reports it and gives nil if it is not a mapping.
  ///
  /// Faults of the mapping as a whole are reported at `position`, by default where it begins.
  init?(_ node: YAMLNode, at position: SourcePosition? = nil, log: DiagnosticLog) {
    self.position = position ?? node.position
    self.log = log
    guard case .mapping(let entries) = node.content else {
      log.error(
        at: node.position,
        "\(Key.section): \(node.kind) where a mapping is needed; keys: \(Self.allowed)",
      )
      return nil
    }
    for entry in entries {
      guard let (key, name) = key(of: entry) else { continue }
      if fields[key] != nil {
        log.error(
          at: entry.key.position,
          "\(Key.section): the key '\(name)' appears twice; remove one"
        )
      } else {
        fields[key] = Field(name: name, node: entry.value, log: log)
      }
    }
  }

  /// The value of `key`, if it is there.
  subscript(_ key: Key) -> Field? { fields[key] }

  /// The keys that are there, in the order of the schema.
  var keys: [Key] { Key.allCases.filter { fields[$0] != nil } }

  /// The value of `key`.
  ///
  /// Its absence is reported, with `example` as the text to write.
  func required(_ key: Key, example: String) -> Field? {
    if fields[key] == nil {
      log.error(
        at: position,
        "\(Key.section): the key '\(key.rawValue)' is missing; write '\(key.rawValue): \(example)'",
      )
    }
    return fields[key]
  }

  private static var allowed: String { Key.allCases.map(\.rawValue).joined(separator: ", ") }

  private func key(of entry: YAMLNode.Entry) -> (Key, String)? {
    guard case .scalar(let name, _) = entry.key.content else {
      log.error(at: entry.key.position, "\(Key.section): \(entry.key.kind) where a key is needed")
      return nil
    }
    guard let key = Key(rawValue: name) else {
      log.error(
        at: entry.key.position,
        "\(Key.section): unknown key \(MessageText.quoted(name))"
          + MessageText.suggestion(for: name, among: Key.allCases.map(\.rawValue))
          + (name == "<<" ? "; merging is not supported" : "") + "; keys: \(Self.allowed)",
      )
      return nil
    }
    return (key, name)
  }
}

/// The keys of one kind of mapping in a graph file; the raw values are the keys as written.
///
/// Every section is one such enum with the code that reads it.
protocol SectionKey: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// The name of the mapping in messages and in `docs/graph-files.md`.
  static var section: String { get }
}
