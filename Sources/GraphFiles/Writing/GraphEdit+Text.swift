// SPDX-License-Identifier: MIT

internal import YAML

/// Edits as the control socket has them: a path, and the value as a graph file would write it. [any-thread]
extension GraphEdit {
  /// The value as a graph file without a style of its own writes it, in one line.
  public var text: String { value.node.line }

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
      case "rule": .rule(GraphFile.Adoption(field))
      default: nil
      }
    guard let value else { return nil }
    self = value
  }

  /// The value as a node of YAML in flow style.
  var node: YAMLValue {
    switch self {
    case .gain(let gain): YAMLValue("\(gain.graphText) dB")
    case .mute(let isMuted): YAMLValue(isMuted ? "true" : "false")
    case .pan(let number), .wet(let number), .position(let number): YAMLValue(number.graphText)
    case .align(.free): YAMLValue("free")
    case .align(.automatic): YAMLValue("auto")
    case .align(.delay(let delay)): YAMLValue(delay.graphText)
    case .inserts(let uses): .list(uses.map(\.node))
    case .channels(let cells): .list(cells.map(\.node))
    case .to(let route): YAMLValue.word(route)
    case .sources(let names): .list(names.map(YAMLValue.word))
    case .map(let mapping): mapping.node
    case .patch(let state): YAMLValue(state.rawValue)
    case .rule(let rule): rule.node
    }
  }
}

extension GraphFile.NodeUse {
  /// The use in flow style: a name alone where nothing else is to say.
  var node: YAMLValue {
    let name = YAMLValue.word(name)
    var keys: [(YAMLValue, YAMLValue)] = [(YAMLValue("name"), name)]
    if restart != Restart.once { keys.append((YAMLValue("restart"), YAMLValue(restart.rawValue))) }
    if isBypassed { keys.append((YAMLValue("bypass"), YAMLValue("true"))) }
    return keys.count == 1 ? name : YAMLValue.keys(keys)
  }
}

extension GraphFile.Send.ChannelSend {
  /// The cell in flow style.
  var node: YAMLValue {
    let gain = gainDB == 0 ? [] : [GraphEdit.Value.gain(gainDB).node]
    return .list([YAMLValue("\(sourceChannel)"), YAMLValue("\(routeChannel)")] + gain)
  }
}

extension ControlMapping {
  /// The mapping as its ``line`` has it.
  fileprivate var node: YAMLValue {
    let text = String(line.dropFirst(2))
    guard let mapping = try? YAMLComposer.compose(text), case .mapping = mapping.content else {
      return .word(text)
    }
    return YAMLValue(mapping)
  }
}
