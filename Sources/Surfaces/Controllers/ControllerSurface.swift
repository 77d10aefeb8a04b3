// SPDX-License-Identifier: MIT

public import ControlProtocol
public import GraphFiles

/// The MIDI controllers of a graph as a surface: their moves set parameters, and parameters are shown on them.
///
/// Its members are [any-thread].
public actor ControllerSurface {
  /// The time between two rounds of messages to a controller (MID-30).
  private static let showInterval = Duration.milliseconds(Int(MessagePace.roundMilliseconds))

  private let tree: any ParameterTree
  private let start = ContinuousClock.now
  private var units: [String: ControllerUnit]
  private var values: [String: ParameterValue] = [:]
  private var pending: [String: MappedControl.Change] = [:]
  private var isWriting = false
  /// The parameter that is being set, and those that others have changed since it was moved here.
  private var inFlight: String?
  private var overtaken: Set<String> = []
  private var isShowing = false
  private var learning: ControlLearning?

  /// Makes the surface; ``run()`` starts it.
  ///
  /// - Parameters:
  ///   - tree: The surface's own connection to the parameters.
  ///   - controllers: The controllers of the graph.
  ///   - learned: The mappings that were learned in earlier runs, by controller; others than the graph's are ignored.
  public init(
    tree: any ParameterTree,
    controllers: [GraphFile.Controller],
    learned: [String: [ControlMapping]] = [:],
  ) {
    self.tree = tree
    units = [:]
    for controller in controllers {
      var unit = ControllerUnit(controller)
      for mapping in learned[controller.name] ?? [] { unit.learn(mapping) }
      units[controller.name] = unit
    }
  }

  /// Follows the parameters until the host ends or ``ParameterTree/close()``.
  ///
  /// - Throws: `refused` for one watcher too many.
  public func run() async throws(ControlError) {
    try await watch()
    for await news in tree.news {
      guard case .parameters(let changes) = news else { continue }
      await take(changes)
    }
  }

  /// Serves a controller from its plugging in to its unplugging.
  ///
  /// All that it shows is sent first; the mappings are those of its name.
  ///
  /// - Parameter port: The controller's port.
  public func serve(_ port: any ControllerPort) async {
    let name = port.name
    guard units[name] != nil else { return }
    units[name]?.plug(port)
    let plug = units[name]?.plugCount
    show()
    units[name]?.arm(values, at: now)
    for await message in port.messages {
      // A port that comes back before the old one's messages were read takes its place.
      guard units[name]?.plugCount == plug else { return }
      take(message, from: name)
    }
    if units[name]?.plugCount == plug { units[name]?.unplug() }
  }

  private var now: Double {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    return Double(seconds) * 1e3 + Double(attoseconds) / 1e15
  }
}

// MARK: - Parameters

extension ControllerSurface {
  /// Watches all mapped parameters, and learns their ranges.
  private func watch() async throws(ControlError) {
    let paths = Set(units.values.flatMap { $0.controls.map(\.path) }).sorted()
    let present = try await tree.watch(paths, echoes: false)
    values = Dictionary(present.map { ($0.path, $0.value) }) { _, last in last }
    let all = try await tree.list("/")
    let described = Dictionary(all.map { ($0.path, $0) }) { first, _ in first }
    for path in paths { describe(path, described[path]) }
    showAll(paths)
  }

  private func take(_ changes: ParameterChanges) async {
    for path in changes.removed {
      values[path] = nil
      describe(path, nil)
    }
    for change in changes.changes {
      // This may be older than what is about to be set; the host knows afterwards.
      guard pending[change.path] == nil, inFlight != change.path else {
        overtaken.insert(change.path)
        continue
      }
      let isNew = values.updateValue(change.value, forKey: change.path) == nil
      if isNew, let found = try? await tree.list(change.path).first { describe(change.path, found) }
    }
    showAll(changes.changes.map(\.path) + changes.removed)
  }

  private func describe(_ path: String, _ parameter: ParameterDescription?) {
    forEachControl { if $0.path == path { $0.describe(parameter) } }
  }

  private func forEachControl(_ body: (inout MappedControl) -> Void) {
    for name in units.keys {
      guard var unit = units.removeValue(forKey: name) else { continue }
      for index in unit.controls.indices { body(&unit.controls[index]) }
      units[name] = unit
    }
  }

  private func showAll(_ paths: [String]) {
    let paths = Set(paths)
    forEachControl { if paths.contains($0.path) { $0.needsShowing = true } }
    for name in units.keys { units[name]?.arm(values, at: now) }
    show()
  }

  /// Sends what changed to all controllers, at most once in ``showInterval``.
  private func show() {
    guard !isShowing else { return }
    isShowing = true
    for name in units.keys { units[name]?.show(values, at: now) }
    Task {
      try? await Task.sleep(for: Self.showInterval)
      isShowing = false
      let isWaiting = units.values.contains { unit in
        unit.port != nil
          && unit.controls.contains {
            $0.needsShowing && !$0.isTouched && $0.mapping.feedback != nil
          }
      }
      if isWaiting { show() }
    }
  }

  /// Sets what has moved: the latest value of each parameter once the set before it is done.
  private func write() {
    guard !isWriting, !pending.isEmpty else { return }
    isWriting = true
    Task {
      while !pending.isEmpty {
        let changes = pending.values.sorted { $0.path < $1.path }
        pending = [:]
        for change in changes { await write(change) }
      }
      isWriting = false
    }
  }

  private func write(_ change: MappedControl.Change) async {
    let path = change.path
    let setting = ParameterSetting(path: path, value: change.value)
    inFlight = path
    var isSet = true
    do {
      try await tree.set([setting], rampMilliseconds: change.rampMilliseconds)
    } catch {
      isSet = false
    }
    if !isSet || (overtaken.contains(path) && pending[path] == nil) {
      // The control must show the parameter's value, which need not be what it has asked for.
      let present = try? await tree.get([path]).first?.value
      if pending[path] == nil { values[path] = present }
      overtaken.remove(path)
      showAll([path])
    }
    inFlight = nil
  }
}

// MARK: - Controls

extension ControllerSurface {
  private func take(_ message: MIDIMessage, from name: String) {
    guard var unit = units.removeValue(forKey: name) else { return }
    let moves = unit.moves(in: message.bytes)
    if learning?.take(moves, from: name, at: now) == true {
      units[name] = unit
      return
    }
    var changed: Set<String> = []
    for index in unit.controls.indices {
      let path = unit.controls[index].path
      for move in moves {
        if let position = message.crossfaderPosition, path == "/crossfader/position",
          unit.controls[index].mapping.control.takes(move)
        {
          values[path] = .number(position)
          unit.controls[index].note(.number(position))
          changed.insert(path)
          continue
        }
        guard
          let change = unit.controls[index].change(by: move, present: values[path], at: now)
        else { continue }
        values[path] = change.value
        pending[path] = change
        changed.insert(path)
        if unit.controls[index].showsOwnChanges { unit.controls[index].needsShowing = true }
      }
    }
    for index in unit.controls.indices
    where changed.contains(unit.controls[index].path)
      && !unit.controls[index].mapping.control.isMoved(by: moves)
    {
      unit.controls[index].needsShowing = true
    }
    unit.arm(values, at: now)
    units[name] = unit
    for other in units.keys where other != name {
      guard var unit = units.removeValue(forKey: other) else { continue }
      for index in unit.controls.indices where changed.contains(unit.controls[index].path) {
        unit.controls[index].needsShowing = true
      }
      unit.arm(values, at: now)
      units[other] = unit
    }
    write()
    show()
  }
}

// MARK: - Learning

extension ControllerSurface {
  /// Waits for the next control that is moved, and maps it.
  ///
  /// - Parameters:
  ///   - path: The parameter.
  ///   - limit: The time to wait.
  /// - Returns: The mapping, which works from now on.
  /// - Throws: `badValue` for a parameter that a control cannot set; `refused` while another one is learned, or when the
  ///   time is over.
  public func learn(_ path: String, within limit: Duration) async throws(ControlError) -> Learned {
    let parameter = try await settable(path)
    guard learning == nil else {
      throw ControlError(.refused, message: "learn: another control is being learned; wait for it")
    }
    learning = ControlLearning()
    defer { learning = nil }
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end, !Task.isCancelled {
      if let finding = learning?.finding(at: now) {
        let mapping = finding.mapping(of: parameter)
        units[finding.controller]?.learn(mapping)
        try await watch()
        return Learned(controller: finding.controller, mapping: mapping)
      }
      try? await Task.sleep(for: .milliseconds(20))
    }
    throw ControlError(
      .refused,
      message: "learn: no control was moved in time; turn an encoder both ways",
    )
  }

  /// Removes the learned mappings of a parameter.
  ///
  /// - Parameter path: The parameter; its mappings of the graph stay.
  public func forget(_ path: String) {
    for name in units.keys { units[name]?.forget(path) }
  }

  /// The learned mappings of each controller that has some, in the order in which they were learned.
  public var learned: [String: [ControlMapping]] {
    units.mapValues(\.learned).filter { !$0.value.isEmpty }
  }

  /// The state of all controllers by name.
  public var reports: [String: Report] {
    units.mapValues { unit in
      Report(
        mappings: unit.controls.count,
        learned: unit.learned.map(\.line),
        missing: Set(unit.controls.map(\.path).filter { values[$0] == nil }).sorted(),
        lastMove: unit.lastMove,
      )
    }
  }

  private func settable(_ path: String) async throws(ControlError) -> ParameterDescription {
    guard let parameter = try await tree.list(path).first, parameter.path == path,
      ControlLearning.canSet(parameter)
    else { throw ControlLearning.refusal(of: path) }
    return parameter
  }
}
