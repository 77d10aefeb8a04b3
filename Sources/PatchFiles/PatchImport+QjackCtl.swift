// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import XML

/// Patch bays of qjackctl: cables from output sockets to input sockets, whose plugs are regular expressions. [any-thread]
extension PatchImport.Collector {
  /// A socket: a client, and its ports one after the other.
  private struct Socket {
    let name: String
    let client: String
    let type: String
    let isExclusive: Bool
    let plugs: [XMLTree]

    init(_ element: XMLTree) {
      name = element.attributes["name"] ?? ""
      client = element.attributes["client"] ?? ""
      type = Self.types[element.attributes["type"] ?? ""] ?? "jack-audio"
      isExclusive = ["on", "yes", "1"].contains(element.attributes["exclusive"] ?? "")
      plugs = element.children(named: "plug")
    }

    /// The older names of the types.
    static let types = [
      "jack-audio": "jack-audio", "audio": "jack-audio", "jack-midi": "jack-midi",
      "alsa-midi": "alsa-midi", "midi": "alsa-midi",
    ]
  }

  /// Takes the cables of a patch bay.
  mutating func takePatchbay(_ root: XMLTree) {
    let outputs = sockets(root, "output-sockets")
    let inputs = sockets(root, "input-sockets")
    for slot in root.children(named: "slots").flatMap({ $0.children(named: "slot") }) {
      note(
        slot.line,
        "the slot '\(slot.attributes["name"] ?? "")': qjackctl connects nothing by it"
      )
    }
    for cable in root.children(named: "cables").flatMap({ $0.children(named: "cable") }) {
      takeCable(cable, outputs, inputs)
    }
  }

  private mutating func sockets(_ root: XMLTree, _ list: String) -> [Socket] {
    root.children(named: list).flatMap { $0.children(named: "socket") }.map { element in
      let socket = Socket(element)
      if let forward = element.attributes["forward"], !forward.isEmpty {
        note(
          element.line,
          "the socket '\(socket.name)' repeats the connections of '\(forward)'; write rules for both",
        )
      }
      return socket
    }
  }

  private mutating func takeCable(_ cable: XMLTree, _ outputs: [Socket], _ inputs: [Socket]) {
    let type = cable.attributes["type"].map { Socket.types[$0] ?? "jack-audio" }
    func find(_ key: String, among sockets: [Socket]) -> Socket? {
      sockets.first { socket in
        socket.name == cable.attributes[key] && (type == nil || socket.type == type)
      }
    }
    let names = ["output", "input"].map { cable.attributes[$0] ?? "" }
    guard let output = find("output", among: outputs), let input = find("input", among: inputs)
    else {
      return note(cable.line, "the cable '\(names[0])' → '\(names[1])': there is no such socket")
    }
    guard output.type == input.type, output.type != "alsa-midi" else {
      return note(
        cable.line,
        output.type == input.type
          ? "the cable '\(names[0])' → '\(names[1])' is one of ALSA MIDI; a2jmidid gives it JACK ports"
          : "the cable '\(names[0])' → '\(names[1])' joins sockets of two types",
      )
    }
    let exclusive: GraphFile.PatchRule.Exclusive? =
      switch (output.isExclusive, input.isExclusive) {
      case (false, false): nil
      case (true, false): .source
      case (false, true): .destination
      case (true, true): .both
      }
    var comment: String? = "Socket '\(output.name)' → socket '\(input.name)'".commentText
    for (from, to) in zip(output.plugs, input.plugs) {
      add(
        PortText.pattern(client: output.client, port: from.text),
        to: PortText.pattern(client: input.client, port: to.text),
        exclusive: exclusive,
        // An active patch bay makes its connections again, whoever takes them away.
        keep: .always,
        comment: comment,
        line: from.line,
      )
      comment = nil
    }
    let count = min(output.plugs.count, input.plugs.count)
    for plug in output.plugs.dropFirst(count) + input.plugs.dropFirst(count) {
      note(
        plug.line,
        "the plug '\(plug.text)' has no partner in the cable '\(names[0])' → '\(names[1])'",
      )
    }
  }
}
