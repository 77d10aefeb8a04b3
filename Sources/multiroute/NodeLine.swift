// SPDX-License-Identifier: MIT

import Console
import InterAppAudio

/// A node as scripts read it: one object of `multiroute nodes --json`.
struct NodeLine: Encodable {
  let name: String
  let client: String?
  let kind: String
  let subtype: String
  let manufacturer: String
  let version: String
  let icon: String?
  let running: Bool
  let host: String?
  let audioInputs: [String]
  let audioOutputs: [String]
  let midiInputs: [String]
  let entitlement: Bool
  let mixWithOthers: Bool
  let lastUsed: Double
  let command: [String]
  let file: String?

  init(_ node: Node) {
    let said = node.description
    name = said.name
    client = node.client
    kind = said.kind.rawValue
    subtype = said.subtype.text
    manufacturer = said.manufacturer.text
    version = said.versionText
    icon = said.iconName
    running = node.isRunning
    host = node.host
    audioInputs = node.isRunning ? node.audioInputs : said.ports.audioInputs
    audioOutputs = node.isRunning ? node.audioOutputs : said.ports.audioOutputs
    midiInputs = node.isRunning ? node.midiInputs : said.ports.midiInputs
    entitlement = said.hasEntitlement
    mixWithOthers = said.mixesWithOthers
    lastUsed = node.lastActiveSeconds
    command = node.command
    file = node.file
  }

  /// The nodes as a table for people.
  static func table(_ nodes: [Node]) -> [String] {
    var table = Table(["node", "kind", "type", "version", "state", "channels"])
    for node in nodes {
      let said = node.description
      let state = node.isRunning ? node.host.map { "in \($0)" } ?? "running" : "installed"
      table.add([
        node.client ?? said.name, said.kind.rawValue,
        "\(said.component.componentType.text) \(said.subtype.text) \(said.manufacturer.text)",
        said.versionText, state,
        // A node file need not say.
        said.ports.audioOutputs.isEmpty
          ? "–" : "\(said.ports.audioInputs.count) in, \(said.ports.audioOutputs.count) out",
      ])
    }
    return table.lines()
  }
}

/// A change as scripts read it: one object of `multiroute nodes --watch --json`.
struct NodeChangeLine: Encodable {
  let change: String
  let node: NodeLine
  let detail: String?

  init(_ change: RegistrationChange) {
    switch change {
    case .published(let node): (self.change, self.node, detail) = ("published", NodeLine(node), nil)
    case .changed(let node):
      (self.change, self.node, detail) = ("changed", NodeLine(node), node.host)
    case .withdrawn(let node): (self.change, self.node, detail) = ("withdrawn", NodeLine(node), nil)
    case .remoteControl(let node, let event):
      (self.change, self.node, detail) = ("remoteControl", NodeLine(node), "\(event)")
    case .overran(let node, let count):
      (self.change, self.node, detail) = ("overran", NodeLine(node), "\(count)")
    }
  }

  var text: String {
    "\(change) \(node.client ?? node.name) (\(node.kind))" + (detail.map { ": \($0)" } ?? "")
  }
}
