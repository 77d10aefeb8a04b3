// SPDX-License-Identifier: MIT

internal import YAML

/// Changes of lists, entry by entry, so that the others keep their comments. [any-thread]
extension GraphTextEditor {
  /// An entry that a list should have.
  struct Entry {
    /// Tells it from the others of the list.
    let name: String
    /// The entry in flow style, where the list does not have it.
    let node: YAMLValue
  }

  /// Gives a list these entries in this order; those that it has stay as they are written.
  ///
  /// - Parameters:
  ///   - key: The key of the list.
  ///   - path: The steps to the mapping that has the key.
  ///   - entries: The wanted entries.
  ///   - name: The name of an entry as it is written; nil for one that has none.
  /// - Throws: The reason for which the text cannot have this list.
  mutating func setList(
    _ key: String,
    at path: [Step],
    to entries: [Entry],
    name: (YAMLNode) -> String?,
  ) throws(GraphTextFault) {
    let place = path + [.key(key)]
    guard let list = node(place), list.alias == nil, case .sequence(let nodes) = list.content else {
      return try set(key, at: path, to: .list(entries.map(\.node)))
    }
    try checkUnshared(along: place)
    let wanted = entries.map(\.name)
    guard nodes.contains(where: { name($0).map(wanted.contains) ?? false }) else {
      return try replace(
        contentSpan(of: list),
        with: YAMLValue.list(entries.map(\.node)).line
      )
    }
    for index in nodes.indices.reversed() where !wanted.contains(name(nodes[index]) ?? "") {
      try remove(index, from: place)
    }
    try sort(place, by: wanted, name)
    for (index, entry) in entries.enumerated() {
      let present = items(place)
      guard index >= present.count || name(present[index]) != entry.name else { continue }
      try insert(entry.node.line, at: index, in: place)
    }
  }

  /// The value at the end of a path; nil where it is missing.
  func node(_ path: [Step]) -> YAMLNode? {
    path.reduce(root as YAMLNode?) { node, step in node?.child(step) }
  }

  /// Adds an entry to the end of a list, which is made where it is missing.
  mutating func append(_ entry: YAMLValue, to key: String, at path: [Step]) throws(GraphTextFault) {
    let place = path + [.key(key)]
    guard case .sequence(let nodes)? = node(place)?.content else {
      return try set(key, at: path, to: .list([entry]))
    }
    try checkUnshared(along: place)
    try insert(entry.line, at: nodes.count, in: place)
  }

  /// Puts an entry before all others of a list at the top of the graph, which is made where it is missing.
  mutating func prepend(_ entry: YAMLValue, to key: String) throws(GraphTextFault) {
    let place: [Step] = [.key(key)]
    guard case .sequence? = node(place)?.content else {
      return try set(key, at: [], to: .list([entry]))
    }
    try checkUnshared(along: place)
    try insert(entry.line, at: 0, in: place)
  }

  /// Removes an entry of a list at the top of the graph; a list without entries stays, as `[]`.
  mutating func removeEntry(_ index: Int, of key: String) throws(GraphTextFault) {
    let place: [Step] = [.key(key)]
    try checkUnshared(along: place)
    guard let list = node(place), case .sequence(let nodes) = list.content else { return }
    guard nodes.count == 1 else { return try remove(index, from: place) }
    try replace(contentSpan(of: list), with: "[]")
  }

  /// Refuses a path with a value that stands for others too.
  func checkUnshared(along path: [Step]) throws(GraphTextFault) {
    for count in 1...max(1, path.count) {
      let steps = Array(path.prefix(count))
      if let node = node(steps) { try checkUnshared(node, steps) }
    }
  }

  private func items(_ place: [Step]) -> [YAMLNode] {
    guard case .sequence(let nodes)? = node(place)?.content else { return [] }
    return nodes
  }

  private func isFlow(_ place: [Step]) -> Bool {
    node(place).map { scalars[contentSpan(of: $0).lowerBound] == "[" } ?? true
  }

  /// The dash of an entry in block style.
  private func dash(of item: YAMLNode) -> Int {
    scalars[..<item.span.lowerBound].lastIndex(of: "-") ?? 0
  }

  private mutating func remove(_ index: Int, from place: [Step]) throws(GraphTextFault) {
    let items = items(place)
    let span = items[index].span
    if isFlow(place) {
      let isLast = index + 1 == items.count
      let start = index > 0 && isLast ? items[index - 1].span.upperBound : span.lowerBound
      return try replace(
        start..<(isLast ? span.upperBound : items[index + 1].span.lowerBound),
        with: ""
      )
    }
    var end = lineEnd(span.upperBound)
    var start = lineStart(dash(of: items[index]))
    if end < scalars.count {
      end += scalars[end...].starts(with: lineBreak) ? lineBreak.count : 1
    } else {
      start = max(0, start - lineBreak.count)
    }
    try replace(start..<end, with: "")
  }

  /// Brings the entries of a list into an order; comments behind entries in block style go with them.
  private mutating func sort(
    _ place: [Step],
    by wanted: [String],
    _ name: (YAMLNode) -> String?,
  ) throws(GraphTextFault) {
    let items = items(place)
    let order = items.indices.sorted {
      (wanted.firstIndex(of: name(items[$0]) ?? "") ?? 0, $0)
        < (wanted.firstIndex(of: name(items[$1]) ?? "") ?? 0, $1)
    }
    guard order != Array(items.indices) else { return }
    let isFlow = isFlow(place)
    let slots = items.map { item in
      item.span.lowerBound..<(isFlow ? item.span.upperBound : lineEnd(item.span.upperBound))
    }
    guard let first = slots.first?.lowerBound, let last = slots.last?.upperBound else { return }
    var sorted: [Unicode.Scalar] = []
    for (index, slot) in slots.enumerated() {
      if index > 0 { sorted += scalars[slots[index - 1].upperBound..<slot.lowerBound] }
      sorted += scalars[slots[order[index]]]
    }
    try replace(first..<last, with: Self.string(sorted))
  }

  private mutating func insert(_ text: String, at index: Int, in place: [Step])
    throws(GraphTextFault)
  {
    let items = items(place)
    if isFlow(place) {
      if index > 0 {
        let end = items[index - 1].span.upperBound
        return try replace(end..<end, with: ", " + text)
      }
      let start = node(place).map { contentSpan(of: $0).lowerBound + 1 } ?? 0
      let at = items.first?.span.lowerBound ?? start
      return try replace(at..<at, with: items.isEmpty ? text : text + ", ")
    }
    let dash = dash(of: items[max(0, index - 1)])
    let start = lineStart(dash)
    let line = String(repeating: " ", count: dash - start) + "- " + text
    if index > 0 { return try insertLine(line, after: items[index - 1].span.upperBound) }
    try replace(start..<start, with: line + Self.string(lineBreak))
  }
}
