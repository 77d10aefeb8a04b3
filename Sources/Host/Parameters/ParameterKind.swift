// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket

/// The host at one moment, as parameters show it.
///
/// Pure value: [any-thread].
struct ParameterSnapshot: Sendable {
  /// The state of the host.
  var status: HostStatus
  /// The programs with a permission, and those that ask for one.
  var permissions: [ListPermissions.Program]
  /// The scenes, and the strips that they leave alone.
  var scenes: SceneList
  /// The latest levels; nil while nobody watches them.
  var meters: Meters?
  /// JACK's transport; nil while there is no server.
  var transport: TransportReading? = nil
  /// The parameters of nodes.
  var nodes: [NodeControl] = []
  /// The routes that users have picked, by session: empty where the rules decide.
  var picks: [String: String] = [:]
  /// The simulated states of the machine.
  var simulated = SimulatedStates()
  /// The latest fault in a sentence.
  var notice = ""
  /// Why strips are silent or lowered; nil while nobody asks.
  var reasons: [String: String]?
  /// The labels and colours of strips and routes.
  var appearances: [String: Appearance] = [:]
  /// The routes with a limiter.
  var limited: Set<String> = []
}

/// All parameters that differ only in the names in their paths, such as the gains of strips.
///
/// Pure value: [any-thread].
struct ParameterKind: Sendable {
  /// One parameter of the kind, and its present value.
  struct Instance: Sendable {
    /// The names in place of the path's asterisks.
    let names: [String]
    let value: ParameterValue
    /// Its own facts, where they are not those of the kind.
    let details: Details?

    init(names: [String], value: ParameterValue, details: Details? = nil) {
      self.names = names
      self.value = value
      self.details = details
    }

    init(_ names: String..., value: ParameterValue) { self.init(names: names, value: value) }
  }

  /// The facts of one parameter, where the parameters of a kind differ.
  struct Details: Sendable {
    let type: ParameterType
    let range: ClosedRange<Double>?
    let unit: String?
    let taper: ParameterTaper
    let description: String
  }

  /// A value that a parameter is to have.
  struct Change: Sendable {
    /// The names in place of the path's asterisks.
    let names: [String]
    /// The value, which has been checked.
    let value: ParameterValue
    /// The ramp's length; nil for the host's default.
    let rampMilliseconds: Double?
    /// The connection that asks for it.
    let connection: ConnectionID

    /// The number; 0 for a value of another type, which no kind lets through.
    var number: Double { if case .number(let number) = value { number } else { 0 } }
    /// The switch; false for a value of another type, which no kind lets through.
    var isOn: Bool { value == .flag(true) }
    /// The word; empty for a value of another type, which no kind lets through.
    var text: String { if case .text(let text) = value { text } else { "" } }
  }

  /// Sets a parameter, on the control thread.
  typealias Write = @Sendable (Rooms, Change) async throws(ControlError) -> Void

  /// The path, with an asterisk for each name: `/strip/*/gain`.
  let template: String
  var type: ParameterType
  /// The range of a number.
  var range: ClosedRange<Double>?
  /// The words that a text can be; empty for any.
  var choices: [String] = []
  var unit: String?
  var taper = ParameterTaper.linear
  var description: String
  /// The parameters of the kind that exist now.
  let instances: @Sendable (ParameterSnapshot) -> [Instance]
  /// Finds the facts of the parameter with these names, nil for one that is not there; nil for a kind whose parameters do not
  /// differ.
  var details: (@Sendable (Rooms, [String]) -> Details?)?
  /// Sets one of them; nil for a kind that can only be read.
  var write: Write?
  /// The clients that may set the parameter with these names.
  var access: @Sendable ([String]) -> MethodAccess = { _ in .everybody }
  /// Whether scenes have it.
  var isInScenes = false

  /// The path of the parameter with these names.
  func path(_ names: [String]) -> String {
    // Every comparison of the tree makes all of its paths.
    var path = ""
    var rest = template[...]
    for name in names {
      guard let asterisk = rest.utf8.firstIndex(of: UInt8(ascii: "*")) else { break }
      path += rest[..<asterisk]
      path += ParameterPath.part(name)
      rest = rest[rest.index(after: asterisk)...]
    }
    return path + rest
  }

  /// The names in a path of this kind; nil for a path of another kind.
  func names(in path: [String]) -> [String]? {
    let parts = parts
    guard parts.count == path.count else { return nil }
    var names: [String] = []
    for (part, name) in zip(parts, path) {
      if part == "*" { names.append(name) } else if part != name { return nil }
    }
    return names
  }

  private var parts: [Substring] { template.dropFirst().split(separator: "/") }

  /// The kind as it would be for one of its parameters alone.
  func with(_ details: Details) -> ParameterKind {
    var kind = self
    kind.type = details.type
    kind.range = details.range
    kind.unit = details.unit
    kind.taper = details.taper
    kind.description = details.description
    return kind
  }

  /// The description of one of its parameters.
  func description(of instance: Instance) -> ParameterDescription {
    if let details = instance.details {
      let alone = Instance(names: instance.names, value: instance.value)
      return with(details).description(of: alone)
    }
    return ParameterDescription(
      path: path(instance.names),
      type: type,
      minimum: range?.lowerBound,
      maximum: range?.upperBound,
      choices: choices,
      unit: unit,
      taper: taper,
      access: write == nil ? .read : .readWrite,
      description: description,
      value: instance.value,
    )
  }

  /// The value as the kind has it: `"-inf"` is a number where that is in the range.
  ///
  /// - Throws: `badValue` with the path, the fault and what is allowed; `refused` for a kind that can only be read.
  func checked(_ setting: ParameterSetting) throws(ControlError) -> ParameterValue {
    guard write != nil else {
      throw ControlError(
        .refused,
        place: setting.path,
        fault: "it can only be read",
        allowed: "a parameter whose access is readWrite",
      )
    }
    switch (type, setting.value) {
    case (.number, .number(let number)) where range?.contains(number) ?? true:
      return setting.value
    case (.number, .text("-inf")) where range?.lowerBound == -.infinity:
      return .number(-.infinity)
    case (.flag, .flag): return setting.value
    case (.text, .text(let text)) where choices.isEmpty || choices.contains(text):
      return setting.value
    default:
      throw ControlError(
        .badValue,
        place: setting.path,
        fault: "'\(setting.value)' is not one of its values",
        allowed: allowed,
      )
    }
  }

  private var allowed: String {
    switch type {
    case .number:
      guard let range else { return "a number" }
      let lowest = range.lowerBound == -.infinity ? "\"-inf\"" : "\(range.lowerBound)"
      return "a number from \(lowest) to \(range.upperBound)" + (unit.map { " \($0)" } ?? "")
    case .flag: return "true or false"
    case .text: return choices.isEmpty ? "a word" : choices.joined(separator: ", ")
    case .numbers: return "a list of numbers"
    }
  }
}
