// SPDX-License-Identifier: MIT

internal import Yams

/// Edits as the control socket has them: a path, and the value as a graph file would write it. [any-thread]
extension GraphEdit {
  /// The value as a graph file without a style of its own writes it, in one line.
  public var text: String { YAMLText.line(value.node) }

  /// Reads an edit; nil for a path or value that this version does not know.
  ///
  /// - Parameters:
  ///   - path: The names down to the value, as ``path`` gives them.
  ///   - text: The value, as ``text`` gives it.
  public init?(path: [String], text: String) {
    let log = DiagnosticLog(file: "", text: text)
    guard let key = path.last, let place = Place(path: path.dropLast()),
      let node = try? YAMLComposer.compose(text),
      let value = Value(key: key, Field(name: key, node: node, log: log)), log.count == 0
    else { return nil }
    self.init(place, value)
  }
}

extension GraphEdit.Value {
  /// Reads the value of a key.
  init?(key: String, _ field: Field) {
    let value: Self? =
      switch key {
      case "gain": field.decibels().map(Self.gain)
      case "mute": field.flag().map(Self.mute)
      case "pan": field.balance().map(Self.pan)
      case "wet": field.share().map(Self.wet)
      case "align": field.alignment().map(Self.align)
      case "inserts": .inserts(field.inserts())
      case "channels": field.channelSends().map(Self.channels)
      case "position": field.balance().map(Self.position)
      case "to": field.graphName().map(Self.to)
      case "sources": .sources(field.sourceNames())
      case "map": ControlMapping(field).map(Self.map)
      case "patch": field.choice().map(Self.patch)
      default: nil
      }
    guard let value else { return nil }
    self = value
  }

  /// The value as a node of YAML in flow style.
  var node: Node {
    switch self {
    case .gain(let gain): Node("\(gain.graphText) dB")
    case .mute(let isMuted): Node(isMuted ? "true" : "false")
    case .pan(let number), .wet(let number), .position(let number): Node(number.graphText)
    case .align(.free): Node("free")
    case .align(.automatic): Node("auto")
    case .align(.delay(let delay)): Node(delay.graphText)
    case .inserts(let uses): YAMLText.list(uses.map(\.node))
    case .channels(let cells): YAMLText.list(cells.map(\.node))
    case .to(let route): YAMLText.word(route)
    case .sources(let names): YAMLText.list(names.map(YAMLText.word))
    case .map(let mapping): mapping.node
    case .patch(let state): Node(state.rawValue)
    }
  }
}

extension GraphFile.NodeUse {
  /// The use in flow style: a name alone where nothing else is to say.
  var node: Node {
    let name = YAMLText.word(name)
    var keys: [(Node, Node)] = [(Node("name"), name)]
    if restart != Restart.once { keys.append((Node("restart"), Node(restart.rawValue))) }
    if isBypassed { keys.append((Node("bypass"), Node("true"))) }
    return keys.count == 1 ? name : YAMLText.mapping(keys)
  }
}

extension GraphFile.Send.ChannelSend {
  /// The cell in flow style.
  var node: Node {
    let gain = gainDB == 0 ? [] : [GraphEdit.Value.gain(gainDB).node]
    return YAMLText.list([Node("\(sourceChannel)"), Node("\(routeChannel)")] + gain)
  }
}

extension ControlMapping {
  /// The mapping as its ``line`` has it.
  fileprivate var node: Node {
    let text = String(line.dropFirst(2))
    guard case .mapping(let keys)? = try? Yams.compose(yaml: text) else {
      return YAMLText.word(text)
    }
    return YAMLText.mapping(keys.map { ($0.key, $0.value) })
  }
}

/// Writes values of YAML in one line. [any-thread]
enum YAMLText {
  /// A list in brackets.
  static func list(_ nodes: [Node]) -> Node { .sequence(Node.Sequence(nodes, .implicit, .flow)) }

  /// A mapping in braces.
  static func mapping(_ keys: [(Node, Node)]) -> Node {
    .mapping(Node.Mapping(keys, .implicit, .flow))
  }

  /// A text, in quotes where it would be nothing without.
  static func word(_ text: String) -> Node {
    let isNothing = ["", "~", "null"].contains(text)
    return .scalar(Node.Scalar(text, .implicit, isNothing ? .doubleQuoted : .any))
  }

  /// The line of a node without its end.
  static func line(_ node: Node) -> String {
    // The emitter fails only without memory.
    var text = (try? Yams.serialize(node: node, width: -1, allowUnicode: true)) ?? ""
    if text.hasSuffix("\n...\n") { text.removeLast(5) }
    if text.hasSuffix("\n") { text.removeLast() }
    return text
  }
}
