// SPDX-License-Identifier: MIT

internal import YAML

/// One value of a section, with all that is needed to report a fault in it.
///
/// Each reading function reports a value of the wrong kind, and then gives nil.
///
/// Pure value: [any-thread].
struct Field {
  /// The key; for an entry of a list, the key of the list.
  var name: String
  var node: YAMLNode
  var log: DiagnosticLog

  var position: SourcePosition { node.position }

  func error(_ message: @autoclosure () -> String) {
    log.error(at: position, "\(name): \(message())")
  }

  /// The text of a single value; `allowed` is for the message.
  func scalar(allowed: String) -> String? {
    guard case .scalar(let text, _) = node.content, !node.isNull else {
      error("\(node.kind) where \(allowed) is needed")
      return nil
    }
    return text
  }

  /// A text of at least one character, without control characters.
  func text(allowed: String) -> String? {
    guard let text = scalar(allowed: allowed) else { return nil }
    guard !text.isEmpty, !text.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 })
    else {
      error("\(MessageText.quoted(text)) is empty or has control characters; write \(allowed)")
      return nil
    }
    return text
  }

  /// A flag, or the one word that a key takes instead of it.
  enum FlagOrWord {
    case flag(Bool)
    case word
  }

  /// `true` or `false`.
  func flag() -> Bool? {
    if case .flag(let isTrue)? = flag(orWord: nil) { isTrue } else { nil }
  }

  /// `true`, `false`, or a word where the key takes one.
  func flag(orWord word: String?) -> FlagOrWord? {
    let allowed = word.map { "true, false or \($0)" } ?? "true or false"
    guard let text = scalar(allowed: allowed) else { return nil }
    switch text {
    case "true": return .flag(true)
    case "false": return .flag(false)
    case word: return .word
    default:
      let meant: String? =
        switch text.lowercased() {
        case "yes", "on", "y", "1", "true": "true"
        case "no", "off", "n", "0", "false": "false"
        default: nil
        }
      error(
        "\(MessageText.quoted(text)) is "
          + (word == nil ? "neither true nor false" : "none of \(allowed)")
          + (meant.map { " (did you mean '\($0)'?)" } ?? "")
      )
      return nil
    }
  }

  /// One of the cases of `Choice`, by raw value.
  func choice<Choice>(
    of type: Choice.Type = Choice.self
  ) -> Choice? where Choice: CaseIterable & RawRepresentable<String> {
    choice(among: Choice.allCases.map { (name: $0.rawValue, value: $0) })
  }

  /// One of these values, by name.
  func choice<Choice>(among choices: [(name: String, value: Choice)]) -> Choice? {
    let names = choices.map(\.name)
    let allowed = names.joined(separator: ", ")
    guard let text = scalar(allowed: "one of \(allowed)") else { return nil }
    if let choice = choices.first(where: { $0.name == text }) { return choice.value }
    error(
      "\(MessageText.quoted(text)) is not known"
        + MessageText.suggestion(for: text, among: names) + "; allowed: \(allowed)"
    )
    return nil
  }

  /// The entries of a list; those beyond `limit` are reported and ignored.
  func list(allowed: String, limit: Int = .max) -> [Field]? {
    guard case .sequence(let nodes) = node.content else {
      error("\(node.kind) where \(allowed) is needed")
      return nil
    }
    if nodes.count > limit {
      log.error(
        at: nodes[limit].position,
        "\(name): \(nodes.count) entries; at most \(limit) are allowed",
      )
    }
    return nodes.prefix(limit).map { Field(name: name, node: $0, log: log) }
  }

  /// The mapping with the keys of `Key`.
  func section<Key: SectionKey>(_ type: Key.Type = Key.self) -> Section<Key>? {
    Section<Key>(node, log: log)
  }
}

extension Field {
  /// The entries of a mapping from names to values, in the order of the file.
  ///
  /// Entries with a faulty or repeated name, and those beyond `limit`, are reported and ignored.
  func namedEntries(noun: String, limit: Int) -> [(name: Field, node: YAMLNode)] {
    guard case .mapping(let entries) = node.content else {
      error("\(node.kind) where a mapping from names to \(noun)s is needed")
      return []
    }
    var seen: Set<String> = []
    var result: [(name: Field, node: YAMLNode)] = []
    for entry in entries {
      let key = Field(name: noun, node: entry.key, log: log)
      guard let name = key.graphName() else { continue }
      guard seen.insert(name).inserted else {
        key.error("the name '\(name)' is taken already")
        continue
      }
      guard result.count < limit else {
        key.error("more than \(limit) \(noun)s")
        break
      }
      result.append((Field(name: name, node: entry.key, log: log), entry.value))
    }
    return result
  }
}
