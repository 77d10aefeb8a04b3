// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import OSC

/// The addresses of an X-Air mixer with 16 channels and 6 busses, and the parameters behind them.
///
/// Strips are channels, the main route is the main mix, the other routes are busses; all in the order of their paths (XA-34). One that
/// gets another name keeps its place. Pure value: [any-thread].
struct XAirLayout: Sendable {
  /// The way in which a parameter is written.
  enum Form: Sendable {
    /// A gain as a position, 0 to 1.
    case fader
    /// A switch that is on when the parameter is off.
    case unmuted
    /// A switch.
    case flag
    /// A place between −1 and 1 as 0 to 1.
    case pan
  }

  /// A parameter behind an address.
  struct Target: Sendable {
    var parameter: String
    var form: Form
  }

  /// The channels and busses of the model that is announced.
  static let channels = 16
  static let busses = 6

  private(set) var targets: [String: Target] = [:]
  /// Names by their addresses.
  private(set) var names: [String: String] = [:]
  /// The addresses of each parameter.
  private(set) var addresses: [String: [String]] = [:]
  /// The levels of the channels, of the busses and of the main mix.
  private(set) var stripLevels: [String] = []
  private(set) var busLevels: [String] = []
  private(set) var mainLevel: String?

  /// How much the limiters of all busses and of the main mix lower them; nil for one without a limiter.
  private(set) var busReductions = [String?](repeating: nil, count: busses)
  private(set) var mainReduction: String?

  /// All levels.
  var levels: [String] {
    stripLevels + busLevels + (busReductions + [mainLevel, mainReduction]).compactMap(\.self)
  }

  /// Arranges the parameters of a host.
  ///
  /// - Parameters:
  ///   - parameters: The parameters.
  ///   - former: The paths that renamed strips and routes had at first, which decide the order.
  init(_ parameters: [ParameterDescription] = [], former: [String: String] = [:]) {
    let paths = Set(parameters.map(\.path))
    let labels = Self.labels(parameters)
    func first(_ kind: String, _ name: String) -> String {
      former["/\(kind)/\(name)"] ?? "/\(kind)/\(name)"
    }
    func names(_ kind: String) -> [String] {
      paths.compactMap { path in
        let parts = path.split(separator: "/")
        return parts.count == 3 && parts[0] == kind && parts[2] == "gain" ? String(parts[1]) : nil
      }.sorted { (first(kind, $0), $0) < (first(kind, $1), $1) }
    }
    let strips = names("strip").prefix(Self.channels)
    let routes = names("route")
    let main = routes.first { first("route", $0) == "/route/main" } ?? routes.first
    let busses = routes.filter { $0 != main }.prefix(Self.busses)
    func add(_ address: String, _ parameter: String, _ form: Form) {
      guard paths.contains(parameter) else { return }
      targets[address] = Target(parameter: parameter, form: form)
      addresses[parameter, default: []].append(address)
    }
    func reduction(_ route: String) -> String? {
      let path = "/route/\(route)/reduction"
      return paths.contains(path) ? path : nil
    }
    func addRoute(_ address: String, _ route: String) {
      add("\(address)/mix/fader", "/route/\(route)/gain", .fader)
      add("\(address)/mix/on", "/route/\(route)/mute", .unmuted)
      let label = labels["/route/\(route)/label"]
      self.names["\(address)/config/name"] = label ?? Self.name(route)
    }
    for (index, strip) in strips.enumerated() {
      let number = XAirModel.two(index + 1)
      let channel = "/ch/\(number)"
      add("\(channel)/mix/fader", "/strip/\(strip)/gain", .fader)
      add("\(channel)/mix/on", "/strip/\(strip)/mute", .unmuted)
      add("\(channel)/mix/pan", "/strip/\(strip)/pan", .pan)
      add("/-stat/solosw/\(number)", "/strip/\(strip)/cue", .flag)
      if let main { add("\(channel)/mix/lr", "/strip/\(strip)/send/\(main)/mute", .unmuted) }
      for (bus, route) in busses.enumerated() {
        add(
          "\(channel)/mix/\(XAirModel.two(bus + 1))/level",
          "/strip/\(strip)/send/\(route)/gain",
          .fader
        )
      }
      let label = labels["/strip/\(strip)/label"]
      self.names["\(channel)/config/name"] = label ?? Self.name(strip)
    }
    for (index, route) in busses.enumerated() {
      addRoute("/bus/\(index + 1)", route)
      busReductions[index] = reduction(route)
    }
    if let main {
      addRoute("/lr", main)
      mainLevel = "/route/\(main)/level"
      mainReduction = reduction(main)
    }
    stripLevels = strips.map { "/strip/\($0)/level" }
    busLevels = busses.map { "/route/\($0)/level" }
  }

  /// The name that is a part of a path.
  private static func name(_ part: String) -> String {
    ParameterPath.names("/\(part)")?.last ?? part
  }

  /// The names for people by the paths of their parameters, but for empty ones.
  private static func labels(_ parameters: [ParameterDescription]) -> [String: String] {
    var labels: [String: String] = [:]
    for parameter in parameters where parameter.path.hasSuffix("/label") {
      if case .text(let label) = parameter.value, !label.isEmpty { labels[parameter.path] = label }
    }
    return labels
  }
}

extension XAirLayout.Form {
  /// The value on the wire.
  func value(_ value: ParameterValue) -> OSCValue? {
    switch (self, value) {
    case (.fader, .number(let gainDB)): .float(Float(FaderTaper.position(ofGainDB: gainDB)))
    case (.pan, .number(let pan)): .float(Float((pan + 1) / 2))
    case (.unmuted, .flag(let isMuted)): .integer(isMuted ? 0 : 1)
    case (.flag, .flag(let isOn)): .integer(isOn ? 1 : 0)
    default: nil
    }
  }

  /// The parameter's value; nil for a value of another type, and for a number that is none.
  func parameter(_ value: OSCValue) -> ParameterValue? {
    let number: Double
    switch value {
    case .float(let float): number = Double(float)
    case .integer(let integer): number = Double(integer)
    case .text("ON"): number = 1
    case .text("OFF"): number = 0
    default: return nil
    }
    guard number.isFinite else { return nil }
    return switch self {
    case .fader: .number(FaderTaper.gainDB(atPosition: number))
    case .pan: .number(min(1, max(0, number)) * 2 - 1)
    case .unmuted: .flag(number < 0.5)
    case .flag: .flag(number >= 0.5)
    }
  }
}
