// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import XML

/// Patch bays of qjackctl. [any-thread]
extension PatchExport {
  /// The rules that share two sockets.
  private struct Cable {
    let output: String
    let input: String
    let exclusive: GraphFile.PatchRule.Exclusive?
    var plugs: [(from: String, to: String)] = []
  }

  /// The types of sockets: a rule does not say which its ports are, so each cable is there for both.
  private static let types = ["jack-audio", "jack-midi"]

  /// Writes sockets and cables: rules between the same two clients share two sockets, with a plug for each rule.
  static func patchbay(
    _ rules: [GraphFile.PatchRule],
    name: String,
    _ notes: inout [PatchFileFault],
  ) -> XMLElement {
    let root = XMLElement("patchbay", [("name", name), ("version", "0.9.9")])
    let lists = ["output-sockets", "input-sockets", "slots", "cables"].map { XMLElement($0) }
    for list in lists { root.addChild(list) }
    for (index, cable) in cables(of: rules, &notes).enumerated() {
      let name = "\(index + 1): \(cable.output) to \(cable.input)"
      for type in types {
        lists[0].addChild(
          socket(
            name,
            type,
            client: cable.output,
            isExclusive: [.source, .both].contains(cable.exclusive),
            plugs: cable.plugs.map(\.from),
          )
        )
        lists[1].addChild(
          socket(
            name,
            type,
            client: cable.input,
            isExclusive: [.destination, .both].contains(cable.exclusive),
            plugs: cable.plugs.map(\.to),
          )
        )
        let own = "\(name) (\(type))"
        lists[3].addChild(XMLElement("cable", [("type", type), ("output", own), ("input", own)]))
      }
    }
    return root
  }

  private static func socket(
    _ name: String,
    _ type: String,
    client: String,
    isExclusive: Bool,
    plugs: [String],
  ) -> XMLElement {
    let socket = XMLElement(
      "socket",
      [
        ("name", "\(name) (\(type))"), ("client", client), ("type", type),
        ("exclusive", isExclusive ? "on" : "off"),
      ]
    )
    for plug in plugs {
      let made = XMLElement("plug")
      made.text = plug
      socket.addChild(made)
    }
    return socket
  }

  private static func cables(
    of rules: [GraphFile.PatchRule],
    _ notes: inout [PatchFileFault],
  ) -> [Cable] {
    var cables: [Cable] = []
    for rule in rules {
      guard fault(of: rule, in: "qjackctl") == nil, case .selector(let to)? = rule.destination,
        let from = PortText.parts(of: rule.source), let to = PortText.parts(of: to)
      else {
        let fault =
          fault(of: rule, in: "qjackctl")
          ?? "qjackctl knows no groups, and needs one ':' between client and port"
        notes.append(PatchFileFault(line: rule.line, message: "\(rule.text): \(fault)"))
        continue
      }
      let plug = (from: from.port, to: to.port)
      let place = cables.firstIndex { cable in
        cable.output == from.client && cable.input == to.client
          && cable.exclusive == rule.exclusive
      }
      if let place {
        cables[place].plugs.append(plug)
      } else {
        cables.append(
          Cable(output: from.client, input: to.client, exclusive: rule.exclusive, plugs: [plug])
        )
      }
    }
    return cables
  }
}
