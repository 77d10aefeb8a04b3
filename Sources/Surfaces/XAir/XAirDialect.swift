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
    /// A change of a parameter.
    case change(ParameterSetting)
    /// The sender wants changes for ten seconds; with its own ones or without.
    case remote(echoes: Bool)
    /// The sender wants meters for ten seconds.
    case meters(Int)
    /// Nothing.
    case nothing
  }

  /// The announced model and firmware, which apps check.
  static let model = "XR18"
  static let firmware = "1.18"
  /// The values of each set of meters (XA-21).
  static let meterCounts = [8, 40, 36, 56, 100, 44, 39, 16, 4, 4]
  /// The most addresses without a parameter whose values are kept.
  static let keptLimit = 4_096

  private static let roots: Set<String> = [
    "ch", "rtn", "bus", "fxsend", "lr", "dca", "config", "headamp", "fx", "routing", "main",
    "outputs", "-stat", "-snap", "-prefs", "-ha", "-usb", "-urec", "-action", "-local",
  ]
  private static let numbers: Set<String> = [
    "fader", "level", "gain", "thr", "range", "attack", "hold", "release", "mix", "mgain", "trim",
    "hpf", "f", "g", "q", "dly", "time", "x",
  ]

  /// The mixer's name and IP address, as clients show them.
  var name: String
  var address: String
  /// The parameters behind the addresses.
  private(set) var layout = XAirLayout()
  private var values: [String: ParameterValue] = [:]
  private var kept: [String: OSCValue] = [:]

  /// Makes a mixer.
  init(name: String, address: String) {
    self.name = name
    self.address = address
  }

  /// Takes in the parameters of the host.
  mutating func arrange(_ parameters: [ParameterDescription]) {
    layout = XAirLayout(parameters)
    values = Dictionary(parameters.map { ($0.path, $0.value) }) { $1 }
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
    case "/meters":
      guard let text = message.values.first?.text, text.hasPrefix("/meters/"),
        let number = Int(text.dropFirst(8)), Self.meterCounts.indices.contains(number)
      else { return .nothing }
      return .meters(number)
    default: break
    }
    guard let value = message.values.first else {
      return answer(message.path).map { .answers([$0]) } ?? .nothing
    }
    if let target = layout.targets[message.path] {
      guard let new = target.form.parameter(value) else { return .nothing }
      return .change(ParameterSetting(path: target.parameter, value: new))
    }
    keep(value, at: message.path)
    return .nothing
  }

  private func answers(_ path: String, _ texts: [String]) -> Outcome {
    .answers([OSCMessage(path, texts.map { .text($0) })])
  }

  /// The message that tells the present value of an address; nil for one that the mixer lacks.
  func answer(_ path: String) -> OSCMessage? {
    if let target = layout.targets[path] {
      return values[target.parameter].flatMap { target.form.value($0) }
        .map { OSCMessage(path, [$0]) }
    }
    if let name = layout.names[path] { return OSCMessage(path, [.text(name)]) }
    return (kept[path] ?? Self.neutral(path)).map { OSCMessage(path, [$0]) }
  }

  /// Keeps a value of the right type, within limits.
  private mutating func keep(_ value: OSCValue, at path: String) {
    guard layout.names[path] == nil, path.utf8.count <= 64,
      Self.neutral(path)?.tag == value.tag, value.text.utf8.count <= 64,
      kept.count < Self.keptLimit || kept[path] != nil
    else { return }
    if case .float(let number) = value, !number.isFinite { return }
    kept[path] = value
  }

  /// The value of an address without a parameter, of the type that apps expect; nil for an address that the mixer lacks.
  private static func neutral(_ path: String) -> OSCValue? {
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

  // MARK: - Meters

  /// The message with a set of meters: a count, then a level in 1/256 dB for each, little-endian (XA-21).
  func meters(_ number: Int) -> OSCMessage {
    let count = Self.meterCounts[number]
    var bytes = Self.littleEndian(UInt32(count), count: 4)
    for place in 0..<count {
      let path = number == 1 ? layout.levels[place] : nil
      bytes += Self.littleEndian(UInt32(UInt16(bitPattern: level(path, place))), count: 2)
    }
    return OSCMessage("/meters/\(number)", [.blob(bytes)])
  }

  /// The level of a place; the two places of the main mix have a channel each.
  private func level(_ path: String?, _ place: Int) -> Int16 {
    guard let path, case .numbers(let levels)? = values[path], var peak = levels.max() else {
      return .min
    }
    if place == 36 || place == 37 { peak = levels[min(place - 36, levels.count - 1)] }
    return Int16(min(127, max(-128, peak)) * 256)
  }

  private static func littleEndian(_ bits: UInt32, count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: bits >> UInt32(8 * $0)) }
  }
}
