// SPDX-License-Identifier: MIT

internal import ControlProtocol

/// The mixer as a control surface sees it: the latest values, and the strips and routes in their order.
///
/// Pure value: [any-thread].
struct MackieMixer: Sendable {
  /// A strip, route or recorder.
  struct Part: Equatable, Sendable {
    /// The name as a part of a path.
    let id: String
    /// The name for people.
    let name: String
  }

  /// The branches of the tree that a control surface watches.
  static let branches = ["/strip", "/route", "/recorder", "/transport"]

  private(set) var strips: [Part] = []
  /// The output routes.
  private(set) var routes: [Part] = []
  /// The output routes to which any strip has a send.
  private(set) var sendRoutes: [Part] = []
  private(set) var recorders: [Part] = []

  private var order: MackieOrder
  private var values: [String: ParameterValue] = [:]

  /// Makes an empty mixer.
  init(order: MackieOrder) { self.order = order }

  /// Begins anew with all values.
  mutating func load(_ settings: [ParameterSetting]) {
    values = Dictionary(settings.map { ($0.path, $0.value) }) { $1 }
    arrange()
  }

  /// Takes another order of strips and routes.
  mutating func take(_ order: MackieOrder) {
    self.order = order
    arrange()
  }

  /// Takes in changes.
  mutating func apply(_ changes: ParameterChanges) {
    var isOther = false
    if let steps = changes.renamed {
      values = steps.values(after: values)
      order = order.renamed(by: steps)
      isOther = true
    }
    for path in changes.removed where values.removeValue(forKey: path) != nil { isOther = true }
    for setting in changes.changes
    where values.updateValue(setting.value, forKey: setting.path) == nil { isOther = true }
    if isOther { arrange() }
  }

  /// Takes in a value that the surface itself has set.
  mutating func set(_ setting: ParameterSetting) {
    if values[setting.path] != nil { values[setting.path] = setting.value }
  }

  func number(_ path: String) -> Double? {
    switch values[path] {
    case .number(let number): number.isNaN ? nil : number
    case .text("-inf"): -.infinity
    default: nil
    }
  }

  func flag(_ path: String) -> Bool? {
    if case .flag(let flag) = values[path] { flag } else { nil }
  }

  func text(_ path: String) -> String? {
    if case .text(let text) = values[path] { text } else { nil }
  }

  /// The highest of a parameter's numbers; −∞ without any.
  func peak(_ path: String) -> Double {
    if case .numbers(let numbers) = values[path] { numbers.max() ?? -.infinity } else { -.infinity }
  }

  /// Whether any strip is soloed.
  var isAnySoloed: Bool { strips.contains { flag("/strip/\($0.id)/solo") == true } }

  /// The routes to which a strip sends.
  func destinations(of strip: Part) -> [Part] {
    sendRoutes.filter { number("/strip/\(strip.id)/send/\($0.id)/gain") != nil }
  }

  private mutating func arrange() {
    var found: [String: Set<String>] = [:]
    for path in values.keys {
      let parts = path.dropFirst().split(separator: "/")
      switch (parts.count, parts.first, parts.last) {
      case (3, "strip", "gain"), (3, "route", "gain"), (3, "recorder", "recording"):
        found[String(parts[0]), default: []].insert(String(parts[1]))
      case (5, "strip", "gain") where parts[2] == "send":
        found["send", default: []].insert(String(parts[3]))
      default: break
      }
    }
    strips = Self.sorted(found["strip"], by: order.strips)
    routes = Self.sorted(found["route"], by: order.routes)
    sendRoutes = Self.sorted(found["send"], by: order.routes)
    recorders = Self.sorted(found["recorder"], by: [])
  }

  private static func sorted(_ ids: Set<String>?, by order: [String]) -> [Part] {
    let places = Dictionary(order.enumerated().map { ($1, $0) }) { first, _ in first }
    return (ids ?? []).map { Part(id: $0, name: ParameterPath.names("/\($0)")?.first ?? $0) }.sorted
    {
      (places[$0.name] ?? .max, $0.id) < (places[$1.name] ?? .max, $1.id)
    }
  }
}

/// A number that a fader or a V-pot sets, over its travel from 0 to 1.
///
/// Pure value: [any-thread].
struct MackieTarget: Equatable, Sendable {
  /// The kind of number.
  enum Kind: Equatable, Sendable { case gain, pan }

  let path: String
  let kind: Kind
  /// The switch that silences it; nil for a pan.
  var mute: String?

  /// The gain and the mute of a strip, a send or a route.
  static func gain(_ branch: String) -> MackieTarget {
    MackieTarget(path: branch + "/gain", kind: .gain, mute: branch + "/mute")
  }

  /// The pan of a strip.
  static func pan(_ branch: String) -> MackieTarget {
    MackieTarget(path: branch + "/pan", kind: .pan)
  }

  /// The position of a value.
  func position(of value: Double) -> Double {
    switch kind {
    case .gain: FaderTaper.position(ofGainDB: value)
    case .pan: (min(max(value, -1), 1) + 1) / 2
    }
  }

  /// The value at a position.
  func value(at position: Double) -> Double {
    switch kind {
    case .gain: FaderTaper.gainDB(atPosition: position)
    case .pan: min(max(position, 0), 1) * 2 - 1
    }
  }

  /// The value as a text of at most six characters.
  func text(_ value: Double) -> String {
    switch kind {
    case .gain: MackieText.gain(value)
    case .pan: MackieText.pan(value)
    }
  }

  /// The ring around a V-pot: a dot for a pan, a bar for a gain, and a dot for a gain that is muted.
  func ring(_ value: Double, isMuted: Bool) -> UInt8 {
    let position = position(of: value)
    let dot = UInt8((position * 10).rounded()) + 1
    switch kind {
    case .pan: return dot | (position > 0.48 && position < 0.58 ? 0x40 : 0)
    case .gain: return position <= 0 ? 0 : dot | (isMuted ? 0 : 0x20)
    }
  }
}
