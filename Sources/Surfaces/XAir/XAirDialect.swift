// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import OSC

/// The messages of an X-Air mixer: a message in, answers and changes out.
///
/// The mixer is an XR18 as far as its addresses go. Addresses without a parameter keep what clients give them, because apps read
/// back and compare (XA-31, XA-32). Pure value: [any-thread].
struct XAirDialect: Sendable {
  /// The consequence of a message.
  enum Outcome: Sendable {
    /// Answers to the sender.
    case answers([OSCMessage])
    /// Changes of parameters, and addresses without one that have a new value.
    case changes([Change], kept: [OSCMessage])
    /// The sender wants changes for ten seconds; with its own ones or without.
    case remote(echoes: Bool)
    /// The sender wants something again and again for ten seconds.
    case subscription(XAirSubscription)
    /// The sender's subscription of this name goes on; nil for all.
    case renewal(String?)
    /// The sender's subscription of this name ends; nil for all.
    case end(String?)
    /// Nothing.
    case nothing
  }

  /// A change of a parameter at an address.
  struct Change: Sendable {
    var address: String
    var setting: ParameterSetting
  }

  /// The announced model and firmware, which apps check.
  static let model = "XR18"
  static let firmware = "1.18"
  /// The most addresses without a parameter whose values are kept.
  static let keptLimit = 4_096

  /// The most bytes of a text that sets a node.
  private static let nodeLimit = 1_024
  /// The most bytes of a blob of values, so that it travels in one piece.
  private static let blobLimit = 1_400

  private static let roots: Set<String> = [
    "ch", "rtn", "bus", "fxsend", "lr", "dca", "config", "headamp", "fx", "routing", "main",
    "outputs", "-stat", "-snap", "-prefs", "-ha", "-usb", "-urec", "-action", "-local",
  ]
  private static let numbers: Set<String> = [
    "fader", "level", "gain", "thr", "range", "attack", "hold", "release", "mix", "mgain", "trim",
    "hpf", "f", "g", "q", "dly", "time", "x",
  ]

  /// The mixer's name, as clients show it.
  var name: String
  /// The IP address under which the client reaches the mixer that asks for it next.
  var address = "127.0.0.1"
  /// The parameters behind the addresses.
  private(set) var layout = XAirLayout()
  private var values: [String: ParameterValue] = [:]
  /// The first paths of strips and routes with other names.
  private var former: [String: String] = [:]
  private var kept: [String: OSCValue] = [:]

  /// Makes a mixer.
  init(name: String) { self.name = name }

  /// Whether the answer to a message has the mixer's IP address.
  static func tellsAddress(_ path: String) -> Bool { ["/xinfo", "/status"].contains(path) }

  /// Takes in the parameters of the host.
  mutating func arrange(_ parameters: [ParameterDescription]) {
    layout = XAirLayout(parameters, former: former)
    values = Dictionary(parameters.map { ($0.path, $0.value) }) { $1 }
  }

  /// Takes in other names of strips and routes, and the parameters under them; each keeps its channel or bus.
  ///
  /// - Returns: The messages that tell the names.
  mutating func rename(
    _ steps: [ParameterRename],
    _ parameters: [ParameterDescription],
  ) -> [OSCMessage] {
    former = steps.values(after: former)
    for step in steps where former[step.to] == nil { former[step.to] = step.from }
    let before = layout.names
    arrange(parameters)
    return layout.names.filter { before[$0] != $1 }.keys.sorted().compactMap { answer($0) }
  }

  /// Takes in a changed value.
  ///
  /// - Returns: The messages that tell of it.
  mutating func take(_ setting: ParameterSetting) -> [OSCMessage] {
    values[setting.path] = setting.value
    return (layout.addresses[setting.path] ?? []).compactMap { answer($0) }
  }

  /// The consequence of a message.
  mutating func take(_ message: OSCMessage) -> Outcome {
    switch message.path {
    case "/xinfo":
      return answers(message.path, [address, name, Self.model, Self.firmware])
    case "/info": return answers(message.path, ["V0.04", name, Self.model, Self.firmware])
    case "/status": return answers(message.path, ["active", address, name])
    case "/xremote": return .remote(echoes: true)
    case "/xremotenfb": return .remote(echoes: false)
    case "/meters", "/subscribe", "/batchsubscribe", "/formatsubscribe":
      return XAirSubscription(message).map { .subscription($0) } ?? .nothing
    case "/renew": return .renewal(message.values.first?.text)
    case "/unsubscribe": return .end(message.values.first?.text)
    case "/node":
      return (message.values.first?.text).flatMap { node($0) }.map { .answers([$0]) } ?? .nothing
    case "/": return setNode(message.values.first?.text ?? "")
    default: break
    }
    guard let value = message.values.first else {
      return answer(message.path).map { .answers([$0]) } ?? .nothing
    }
    return set([(message.path, value)])
  }

  private func answers(_ path: String, _ texts: [String]) -> Outcome {
    .answers([OSCMessage(path, texts.map { .text($0) })])
  }

  // MARK: - Values

  /// The message that tells the present value of an address; nil for one that the mixer lacks.
  func answer(_ path: String) -> OSCMessage? { value(path).map { OSCMessage(path, [$0]) } }

  private func value(_ path: String) -> OSCValue? {
    if let target = layout.targets[path] {
      return values[target.parameter].flatMap { target.form.value($0) }
    }
    if let name = fixedName(path) { return .text(name) }
    return kept[path] ?? Self.neutral(path)
  }

  /// A name that apps cannot change.
  private func fixedName(_ path: String) -> String? {
    path == "/-prefs/name" ? name : layout.names[path]
  }

  /// Sets addresses in their order.
  private mutating func set(_ new: [(path: String, value: OSCValue)]) -> Outcome {
    var changes: [Change] = []
    var told: [OSCMessage] = []
    for (path, value) in new {
      if let target = layout.targets[path] {
        guard let value = target.form.parameter(value) else { continue }
        let setting = ParameterSetting(path: target.parameter, value: value)
        changes.append(Change(address: path, setting: setting))
      } else if let value = keep(value, at: path) {
        told.append(OSCMessage(path, [value]))
      }
    }
    return changes.isEmpty && told.isEmpty ? .nothing : .changes(changes, kept: told)
  }

  /// Keeps a value of the right type, within limits.
  ///
  /// - Returns: The value as it is kept; nil for one that is not.
  private mutating func keep(_ value: OSCValue, at path: String) -> OSCValue? {
    guard fixedName(path) == nil, path.utf8.count <= 64,
      kept.count < Self.keptLimit || kept[path] != nil
    else { return nil }
    if let field = XAirModel.field(path) {
      guard let taken = field.taken(value) else { return nil }
      kept[path] = taken
      return taken
    }
    guard Self.neutral(path)?.tag == value.tag, value.text.utf8.count <= XAirField.textLimit else {
      return nil
    }
    if case .float(let number) = value, !number.isFinite { return nil }
    kept[path] = value
    return value
  }

  /// The value of an address without a parameter, of the type that apps expect; nil for an address that the mixer lacks.
  private static func neutral(_ path: String) -> OSCValue? {
    if let field = XAirModel.field(path) { return field.neutral }
    let parts = path.split(separator: "/")
    guard parts.count > 1, roots.contains(String(parts[0])), let last = parts.last else {
      return nil
    }
    switch last {
    case "name": return .text("")
    case "pan": return .float(0.5)
    default: return numbers.contains(String(last)) ? .float(0) : .integer(0)
    }
  }

  // MARK: - Nodes

  /// The text of a node, or of one address, as apps load it (XA-8); nil for one that the mixer lacks.
  private func node(_ asked: String) -> OSCMessage? {
    let path = asked.hasPrefix("/") ? asked : "/" + asked
    let texts: [String]
    if let fields = XAirModel.nodes[path] {
      texts = fields.map { field in field.text(value("\(path)/\(field.name)") ?? field.neutral) }
    } else if let field = XAirModel.field(path) {
      texts = [field.text(value(path) ?? field.neutral)]
    } else {
      return nil
    }
    return OSCMessage("node", [.text("\(path) \(texts.joined(separator: " "))\n")])
  }

  /// Sets the first values of a node from a text such as `ch/01/mix ON -10.0` (XA-8).
  private mutating func setNode(_ text: String) -> Outcome {
    guard text.utf8.count <= Self.nodeLimit else { return .nothing }
    let words = XAirText.words(text)
    guard let asked = words.first else { return .nothing }
    let path = asked.hasPrefix("/") ? asked : "/" + asked
    let node = XAirModel.nodes[path].map { fields in fields.map { ("\(path)/\($0.name)", $0) } }
    guard let fields = node ?? XAirModel.field(path).map({ [(path, $0)] }) else {
      return .nothing
    }
    return set(
      zip(fields, words.dropFirst()).compactMap { field, word in
        field.1.read(word).map { (path: field.0, value: $0) }
      }
    )
  }

  // MARK: - Meters and blobs

  /// The message of a subscription with the present values; nil for addresses that the mixer lacks.
  func message(_ subscription: XAirSubscription) -> OSCMessage? {
    switch subscription.source {
    case .meters(let number, let channel):
      let levels = XAirMeters.places(number, channel: channel, of: layout).map(level)
      return OSCMessage(subscription.name, [.blob(XAirMeters.blob(levels))])
    case .value(let path): return answer(path)
    case .values(let paths):
      let bytes = paths.compactMap(value).flatMap(XAirText.bytes)
      let count = XAirMeters.littleEndian(UInt32(bytes.count + 4), bytes: 4)
      return bytes.isEmpty || bytes.count > Self.blobLimit
        ? nil : OSCMessage(subscription.name, [.blob(count + bytes)])
    }
  }

  private func level(_ place: XAirMeters.Place) -> Int16 {
    func levels(_ path: String) -> [Double] {
      if case .numbers(let levels)? = values[path] { levels } else { [] }
    }
    let peak: Double?
    switch place {
    case .unlowered: return 0
    case .silent: return .min
    case .limiter(let path): peak = levels(path).min() ?? 0
    case .peak(let path): peak = levels(path).max()
    case .channel(let path, let index): peak = levels(path).prefix(index + 1).last
    }
    return peak.map { Int16(min(127, max(-128, $0)) * 256) } ?? .min
  }
}
