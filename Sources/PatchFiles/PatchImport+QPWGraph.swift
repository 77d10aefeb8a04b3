// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import XML

/// Patch bays of qpwgraph: connections by the names of nodes and ports of PipeWire. [any-thread]
extension PatchImport.Collector {
  /// Takes the connections of a patch bay.
  mutating func takeItems(_ root: XMLTree) {
    for item in root.children(named: "items").flatMap({ $0.children(named: "item") }) {
      takeItem(item)
    }
  }

  private mutating func takeItem(_ item: XMLTree) {
    switch item.attributes["port-type"] ?? "" {
    case "pipewire-audio", "pipewire-midi": break
    case "alsa-midi":
      return note(item.line, "a connection of ALSA MIDI; a2jmidid gives such devices JACK ports")
    case let type:
      return note(
        item.line,
        "a connection of the type '\(type.prefix(40))'; a graph has those of JACK: pipewire-audio, pipewire-midi",
      )
    }
    guard let output = port(item, "output"), let input = port(item, "input") else {
      return note(item.line, "a connection without <output> and <input>, each with node and port")
    }
    // An active patch bay makes its connections again, whoever takes them away.
    add(PortText.name(output), to: PortText.name(input), keep: .always, line: item.line)
  }

  /// The name that PipeWire's JACK gives the port: that of its node, and what its alias has after its own client.
  private func port(_ item: XMLTree, _ end: String) -> String? {
    guard let element = item.children(named: end).first,
      let node = element.attributes["node"], !node.isEmpty,
      let alias = element.attributes["port"]
    else { return nil }
    let short: Substring =
      if alias.hasPrefix(node + ":") {
        alias.dropFirst(node.count + 1)
      } else {
        alias.firstIndex(of: ":").map { alias[alias.index(after: $0)...] } ?? alias[...]
      }
    return short.isEmpty ? nil : "\(node):\(short)"
  }
}
