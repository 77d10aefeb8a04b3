// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles

/// All controllers by name: those of the graph, and guests that were plugged in or have learned something.
///
/// Pure value but for the ports: [any-thread].
struct ControllerUnits {
  /// The most guests that are remembered.
  private static let guestLimit = 64

  private var units: [String: ControllerUnit] = [:]

  /// Makes the controllers of a graph, and guests, with what they have learned in earlier runs.
  init(_ controllers: [GraphFile.Controller], learned: [String: [ControlMapping]]) {
    for controller in controllers { units[controller.name] = ControllerUnit(controller) }
    for name in learned.keys.sorted() { admit(name) }
    for (name, mappings) in learned { for mapping in mappings { units[name]?.learn(mapping) } }
  }

  /// Goes over to the controllers of another version; guests stay.
  mutating func take(_ controllers: [GraphFile.Controller]) {
    let names = Set(controllers.map(\.name))
    units = units.filter { names.contains($0.key) || GuestController.device(of: $0.key) != nil }
    for controller in controllers {
      if units[controller.name] == nil {
        units[controller.name] = ControllerUnit(controller)
      } else {
        units[controller.name]?.take(controller)
      }
    }
  }

  /// The controller of this name.
  subscript(_ name: String) -> ControllerUnit? {
    get { units[name] }
    // An access in place keeps the arrays of the unit from being copied.
    _modify { yield &units[name] }
  }

  /// The names of all controllers.
  var names: [String] { Array(units.keys) }

  /// The paths of the parameters that are needed now, sorted.
  var paths: [String] { units.values.reduce(into: Set()) { $0.formUnion($1.paths) }.sorted() }

  // MARK: - Plugs

  /// Makes room for a guest.
  private mutating func admit(_ name: String) {
    guard units[name] == nil, let device = GuestController.device(of: name) else { return }
    let guests = units.keys.filter { GuestController.device(of: $0) != nil }.count
    guard guests < Self.guestLimit else { return }
    units[name] = ControllerUnit(GraphFile.Controller(name: name, device: .name(device)))
  }

  /// Plugs a controller in.
  ///
  /// - Returns: The number of the plug; nil for a controller that is not served.
  mutating func plug(_ port: any ControllerPort) -> Int? {
    admit(port.name)
    units[port.name]?.plug(port)
    return units[port.name]?.plugCount
  }

  /// Unplugs a controller, unless it was plugged in again; a guest that has learned nothing is forgotten.
  mutating func unplug(_ name: String, plug: Int) {
    guard let unit = units[name], unit.plugCount == plug else { return }
    if GuestController.device(of: name) != nil, unit.learned.isEmpty {
      units[name] = nil
    } else {
      units[name]?.unplug()
    }
  }

  /// The plugged controller that a user means.
  ///
  /// - Parameter wanted: A name in the graph, or words of a device's name; a whole name comes before words.
  /// - Returns: Its name.
  /// - Throws: `badValue` for words that name none, or more than one.
  func plugged(_ wanted: String) throws(ControlError) -> String {
    if let unit = units[wanted] {
      guard unit.port != nil else { throw ControlLearning.refusal(ofUnplugged: wanted) }
      return wanted
    }
    let ranks = units.compactMapValues { unit in
      unit.port.flatMap { DeviceName(ofPort: $0.device).rank(of: wanted) }
    }
    let whole = ranks.filter { $0.value == 0 }
    let found = Array((whole.isEmpty ? ranks : whole).keys)
    guard let name = found.first else {
      let plugged = units.keys.filter { units[$0]?.port != nil }
      throw ControlLearning.refusal(ofDevice: wanted, among: written(plugged))
    }
    guard found.count == 1 else {
      throw ControlLearning.refusal(ofAmbiguous: wanted, written(found))
    }
    return name
  }

  /// Names as a user can write them, with the devices of those that the graph has.
  private func written(_ names: [String]) -> [String] {
    names.map { name in
      if let device = GuestController.device(of: name) { return "'\(device)'" }
      return "'\(name)'" + (units[name]?.port.map { " (\($0.device))" } ?? "")
    }.sorted()
  }

  // MARK: - Controls

  /// Changes all controls.
  mutating func forEachControl(_ body: (inout MappedControl) -> Void) {
    for name in units.keys {
      guard var unit = units.removeValue(forKey: name) else { continue }
      for index in unit.controls.indices { body(&unit.controls[index]) }
      units[name] = unit
    }
  }

  /// Sends what is not shown yet.
  mutating func show(_ values: [String: ParameterValue], at milliseconds: Double) {
    for name in units.keys { units[name]?.show(values, at: milliseconds) }
  }

  /// Lets the audio thread move the crossfader where that is safe.
  mutating func arm(_ values: [String: ParameterValue], at milliseconds: Double) {
    for name in units.keys { units[name]?.arm(values, at: milliseconds) }
  }

  /// Whether something waits to be shown.
  var isWaiting: Bool {
    units.values.contains { unit in
      unit.port != nil
        && unit.controls.contains {
          $0.needsShowing && !$0.isTouched && $0.mapping.feedback != nil
        }
    }
  }

  // MARK: - Learning

  /// Goes on with parameters under other paths.
  mutating func rename(_ steps: [ParameterRename]) {
    for name in units.keys { units[name]?.rename(steps) }
  }

  /// Removes the learned mappings of a parameter.
  mutating func forget(_ path: String) { for name in units.keys { units[name]?.forget(path) } }

  /// The learned mappings of each controller that has some.
  var learned: [String: [ControlMapping]] {
    units.mapValues(\.learned).filter { !$0.value.isEmpty }
  }

  /// The state of all controllers by name.
  func reports(_ values: [String: ParameterValue]) -> [String: ControllerSurface.Report] {
    units.mapValues { unit in
      ControllerSurface.Report(
        mappings: unit.controls.count,
        learned: unit.learned.map(\.line),
        missing: unit.paths.filter { values[$0] == nil }.sorted(),
        lastMove: unit.lastMove,
      )
    }
  }
}
