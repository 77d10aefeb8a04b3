// SPDX-License-Identifier: MIT

internal import XML

/// Snapshots of aj-snapshot: connections by the names of their ports. [any-thread]
extension PatchImport.Collector {
  /// Takes the JACK connections of a snapshot.
  mutating func takeSnapshot(_ root: XMLTree) {
    for part in root.children {
      guard part.name == "jack" else {
        if part.children.contains(where: { !$0.children.isEmpty }) {
          note(part.line, "<\(part.name)>: connections of ALSA; use aj-snapshot -a for them")
        }
        continue
      }
      for client in part.children(named: "client") { takeClient(client) }
    }
  }

  private mutating func takeClient(_ client: XMLTree) {
    guard let name = client.attributes["name"], !name.isEmpty else {
      return note(client.line, "a client without a name")
    }
    for port in client.children(named: "port") {
      guard let short = port.attributes["name"], !short.isEmpty else {
        note(port.line, "a port of client '\(name)' without a name")
        continue
      }
      for connection in port.children(named: "connection") {
        guard let other = connection.attributes["port"] else {
          note(connection.line, "a connection of '\(name):\(short)' without a port")
          continue
        }
        add(
          PortText.name("\(name):\(short)"),
          to: PortText.name(other),
          line: connection.line,
        )
      }
    }
  }
}
