// SPDX-License-Identifier: MIT

internal import YAML

/// The levels of adopted clients in the text of a graph. [any-thread]
extension GraphTextEditor {
  /// Gives the rule for a client its levels, as ``GraphFile/take(_:ofClient:)`` does in a graph.
  mutating func setRule(_ rule: GraphFile.Adoption, ofClient client: String, in graph: GraphFile)
    throws(GraphTextFault)
  {
    guard let present = graph.ruleIndex(ofClient: client), let index = ruleIndex(client) else {
      return try prepend(rule.node, to: "adopt")
    }
    let place: [Step] = ["adopt", .index(index)]
    let old = graph.adoptions[present]
    guard !rule.strips.isEmpty else { return try set(rule.start, insteadOf: old.start, at: place) }
    for strip in old.strips {
      guard let new = rule.strips.first(where: { $0.name == strip.name }) else { continue }
      try set(new.start, insteadOf: strip.start, at: place + ["strips", .key(strip.name)])
    }
  }

  private mutating func set(
    _ start: GraphFile.StartLevels,
    insteadOf old: GraphFile.StartLevels,
    at place: [Step],
  ) throws(GraphTextFault) {
    for (key, value) in start.values(unlike: old) {
      try set(key, at: place, to: value.node) { value.text(inStyleOf: $0) }
    }
    for (route, level) in start.sends.sorted(by: { $0.key < $1.key }) {
      let before = old.sends[route] ?? GraphFile.SendLevel()
      let path = place + ["levels", .key(route)]
      if level.gainDB != before.gainDB || old.sends[route] == nil && !level.isMuted {
        let value = GraphEdit.Value.gain(level.gainDB)
        try set("gain", at: path, to: value.node) { value.text(inStyleOf: $0) }
      }
      if level.isMuted != before.isMuted {
        try set("mute", at: path, to: GraphEdit.Value.mute(level.isMuted).node)
      }
    }
  }

  /// The index in `adopt` of the rule for just this client.
  private func ruleIndex(_ client: String) -> Int? {
    guard case .sequence(let nodes)? = node(["adopt"])?.content else { return nil }
    return nodes.firstIndex { node in
      node.child("client")?.text == client && node.child("executable") == nil
        && node.child("session") != nil
    }
  }
}

extension GraphFile.SendLevel {
  /// Its values by their keys.
  var values: [(String, GraphEdit.Value)] {
    (gainDB != 0 || !isMuted ? [("gain", .gain(gainDB))] : [])
      + (isMuted ? [("mute", .mute(true))] : [])
  }
}

extension GraphFile.StartLevels {
  /// The values of the strip itself that differ, by their keys.
  func values(unlike other: Self) -> [(String, GraphEdit.Value)] {
    var values: [(String, GraphEdit.Value)] = []
    if gainDB != other.gainDB { values.append(("gain", .gain(gainDB))) }
    if isMuted != other.isMuted { values.append(("mute", .mute(isMuted))) }
    if let pan, pan != other.pan { values.append(("pan", .pan(pan))) }
    return values
  }

}
