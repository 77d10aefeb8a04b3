// SPDX-License-Identifier: MIT

/// One value of a section, with what is needed to report a fault in it.
///
/// Each reading function gives nil after reporting why the value is not what was asked for.
struct Field {
  /// The key, or for an entry of a list that of the list.
  var name: String
  var node: YAMLNode
  var log: DiagnosticLog

  var position: SourcePosition { node.position }

  func error(_ message: @autoclosure () -> String) {
    log.error(at: position, "\(name): \(message())")
  }

  /// The text of a single value; `allowed` tells in the message what may be written here.
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

  /// `true` or `false`.
  func flag() -> Bool? {
    guard let text = scalar(allowed: "true or false") else { return nil }
    switch text {
    case "true": return true
    case "false": return false
    default:
      let meant: String? =
        switch text.lowercased() {
        case "yes", "on", "y", "1", "true": "true"
        case "no", "off", "n", "0", "false": "false"
        default: nil
        }
      error(
        "\(MessageText.quoted(text)) is neither true nor false"
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

  /// The entries of a list; those beyond `limit` are reported and left out.
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
