// SPDX-License-Identifier: MIT

extension Field {
  /// The entries of a mapping from names of the user's choice, in the order of the file.
  ///
  /// Entries with a faulty or repeated name, and those beyond `limit`, are reported and left out.
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
