// SPDX-License-Identifier: MIT

internal import YAML

/// The destination of a patch rule: a port, a pattern, or a text in which `\1` to `\9` stand for groups of the source.
///
/// Pure value: [any-thread].
public enum PortTemplate: Sendable, Equatable {
  /// The same ports for each source.
  case selector(PortSelector)
  /// A port's name with references to groups.
  case name(String)
  /// An expression with references to groups, without slashes; each group stands for its own characters.
  case pattern(String)

  /// The text as a graph file writes it.
  public var text: String {
    switch self {
    case .selector(let selector): selector.description
    case .name(let name): name
    case .pattern(let expression): "/\(expression)/"
    }
  }

  /// The highest group that is referred to; 0 for none.
  var highestGroup: Int {
    switch self {
    case .selector: 0
    case .name(let text), .pattern(let text): Self.references(in: text).max() ?? 0
    }
  }

  /// The ports for a source with these groups; nil where they make an expression that cannot be used.
  public func selector(for groups: [String]) -> PortSelector? {
    switch self {
    case .selector(let selector): return selector
    case .name(let text): return .name(Self.filled(text) { groups[$0 - 1] })
    case .pattern(let text):
      let expression = Self.filled(text) { PortPattern.literal(groups[$0 - 1]) }
      return (try? PortPattern(expression)).map { .pattern($0) }
    }
  }

  /// The groups that a text refers to.
  static func references(in text: String) -> [Int] {
    var groups: [Int] = []
    _ = filled(text) { group in
      groups.append(group)
      return ""
    }
    return groups
  }

  /// A text with its references replaced; other backslashes stay with the character behind them.
  static func filled(_ text: String, _ group: (Int) -> String) -> String {
    var result = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      guard character == "\\", let next = rest.popFirst() else {
        result.append(character)
        continue
      }
      if next.isASCII, let number = next.wholeNumberValue, number > 0 {
        result += group(number)
      } else {
        result += "\\\(next)"
      }
    }
    return result
  }
}

extension Field {
  /// The destination of a patch rule.
  ///
  /// - Parameter groups: The number of groups of the source; nil for a source by name.
  /// - Returns: The destination; nil for a faulty one, which is reported.
  func portTemplate(groups: Int?) -> PortTemplate? {
    guard case .scalar(let text, _) = node.content,
      let highest = PortTemplate.references(in: text).max()
    else { return portSelector().map { .selector($0) } }
    guard let groups, highest <= groups else {
      let there = groups.map { "the source has \($0) group\($0 == 1 ? "" : "s") in parentheses" }
      error(
        "'\\\(highest)' stands for group \(highest) of the source, and "
          + (there ?? "the source is a name; write a pattern such as /synth:out_(.*)/")
      )
      return nil
    }
    // The fault of the text with groups put in is the fault of the template.
    let count = log.count
    let filled = Field(
      name: name,
      node: YAMLNode(
        content: .scalar(PortTemplate.filled(text) { _ in "x" }, isPlain: false),
        position: position,
      ),
      log: log,
    )
    guard filled.portSelector() != nil, log.count == count else { return nil }
    return text.hasPrefix("/") ? .pattern(String(text.dropFirst().dropLast())) : .name(text)
  }
}
