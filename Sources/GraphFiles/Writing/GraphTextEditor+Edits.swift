// SPDX-License-Identifier: MIT

internal import YAML

/// Edits of graphs in their text. [any-thread]
extension GraphTextEditor {
  /// Makes an edit that the graph of this text has a place for.
  ///
  /// - Parameters:
  ///   - edit: The edit.
  ///   - graph: The graph of the text before it.
  /// - Throws: The reason for which the text cannot have the value.
  mutating func make(_ edit: GraphEdit, in graph: GraphFile) throws(GraphTextFault) {
    if case .patch(let source, let destination) = edit.place, case .patch(let state) = edit.value {
      return try setPatch(source, to: destination, state, in: graph)
    }
    if case .adoption(let client) = edit.place, case .rule(let rule) = edit.value {
      return try setRule(rule, ofClient: client, in: graph)
    }
    if case .send(let source, let route) = edit.place, sendIndex(source, route) == nil {
      var keys = [(YAMLValue("from"), YAMLValue(source)), (YAMLValue("to"), YAMLValue(route))]
      if edit.value != .gain(0) { keys.append((YAMLValue(edit.value.key), edit.value.node)) }
      return try append(YAMLValue.keys(keys), to: "mix", at: [])
    }
    let path = steps(to: edit.place)
    switch edit.value {
    case .inserts(let uses): try setInserts(uses, at: path)
    case .sources(let names):
      let entries = names.map { Entry(name: $0, node: YAMLValue.word($0)) }
      try setList("sources", at: path, to: entries) { $0.text }
    case .channels(let cells):
      let entries = cells.map { Entry(name: $0.node.line, node: $0.node) }
      try setList("channels", at: path, to: entries) { $0.cell.map { $0.node.line } }
    case .map: try append(edit.value.node, to: "map", at: path)
    case .gain, .mute, .pan, .wet, .align, .position, .to:
      try set(edit.value.key, at: path, to: edit.value.node) { edit.value.text(inStyleOf: $0) }
    case .patch, .rule: break
    }
  }

  private mutating func setInserts(_ uses: [GraphFile.NodeUse], at path: [Step])
    throws(GraphTextFault)
  {
    let entries = uses.map { Entry(name: $0.name, node: $0.node) }
    try setList("inserts", at: path, to: entries) { $0.insert?.name }
    for (index, use) in uses.enumerated() {
      let place = path + [.key("inserts"), .index(index)]
      guard let node = node(place), node.insert?.isBypassed != use.isBypassed else { continue }
      try checkUnshared(along: place)
      if case .mapping = node.content {
        try set("bypass", at: place, to: YAMLValue("\(use.isBypassed)"))
      } else {
        try replace(contentSpan(of: node), with: use.node.line)
      }
    }
  }

  private func steps(to place: GraphEdit.Place) -> [Step] {
    guard case .send(let source, let route) = place, let index = sendIndex(source, route) else {
      return place.path.map(Step.key)
    }
    return ["mix", .index(index)]
  }

  /// The index in `mix` of a send.
  private func sendIndex(_ source: String, _ route: String) -> Int? {
    guard case .sequence(let nodes)? = node(["mix"])?.content else { return nil }
    return nodes.firstIndex { $0.child("from")?.text == source && $0.child("to")?.text == route }
  }
}

/// Values of lists as graph files have them.
extension YAMLNode {
  /// The value as an insert.
  fileprivate var insert: GraphFile.NodeUse? { field.nodeUse(isEffect: true) }

  /// The value as a cell of a send, as precise as edits have it.
  fileprivate var cell: GraphFile.Send.ChannelSend? {
    let list = Field(
      name: "channels",
      node: YAMLNode(content: .sequence([self]), position: position),
      log: field.log,
    )
    let cells = list.channelSends().map { GraphEdit.Value.channels($0).rounded }
    if case .channels(let cells)? = cells { return cells.first } else { return nil }
  }

  private var field: Field {
    Field(name: "", node: self, log: DiagnosticLog(file: "", text: ""))
  }
}

extension GraphEdit.Value {
  /// The value with the quotes, the unit and the spaces of a written one.
  func text(inStyleOf written: String) -> String {
    for quote in ["'", "\""] where written.count > 1 && written.hasPrefix(quote) {
      return quote + unquoted(inStyleOf: String(written.dropFirst().dropLast())) + quote
    }
    return unquoted(inStyleOf: written)
  }

  private func unquoted(inStyleOf written: String) -> String {
    let text: String? =
      switch self {
      case .gain(let gain): Dimension.gain.text(gain, inStyleOf: written)
      case .pan(let number), .wet(let number), .position(let number):
        Dimension.proportion.text(number, inStyleOf: written)
      case .align(.delay(let delay)):
        Dimension.duration.text(delay.nanoseconds, inStyleOf: written)
      case .mute, .align, .inserts, .channels, .to, .sources, .map, .patch, .rule: nil
      }
    return text ?? node.line
  }
}

extension Dimension {
  /// A value in the unit of a written one, with its sign and spaces.
  ///
  /// - Parameters:
  ///   - value: The value in the dimension's first unit.
  ///   - written: The other value.
  /// - Returns: The text; nil where that unit cannot have the value.
  fileprivate func text(_ value: Double, inStyleOf written: String) -> String? {
    let old = NumberText(written)
    guard let unit = units.first(where: { $0.symbol == old.unit }) else { return nil }
    let number = (value / unit.size * 1e9).rounded() / 1e9
    let digits = number.graphText
    guard !digits.contains("e") else { return nil }
    let sign = old.number.hasPrefix("+") && number > 0 ? "+" : ""
    let spaces = written.dropFirst(old.number.count).prefix { $0 == " " }
    return sign + digits + spaces + old.unit
  }
}
