// SPDX-License-Identifier: MIT

public import ControlProtocol
public import GraphFiles

/// The MIDI controllers of a graph as a surface: their moves set parameters, and parameters are shown on them.
///
/// Its members are [any-thread].
public actor ControllerSurface {
  /// The time between two rounds of messages to a controller (MID-30).
  private static let showInterval = Duration.milliseconds(Int(MessagePace.roundMilliseconds))

  let tree: any ParameterTree
  /// The controllers; learning changes their mappings.
  var units: ControllerUnits
  /// The control that is being learned; nil for none.
  var lesson: ControlLesson?
  private let start = ContinuousClock.now
  private(set) var values: [String: ParameterValue] = [:]
  private var directMoves = DirectMoves()
  private var pending: [String: MappedControl.Change] = [:]
  private var isWriting = false
  /// The changes that are set one after the other now.
  private var due: [MappedControl.Change] = []
  /// The parameter that is being set, and those that others have changed since it was moved here.
  private var inFlight: String?
  private var overtaken: Set<String> = []
  /// Changes of parameters that were not there: they may have another path, of which the news is on its way.
  private var stranded: [String: MappedControl.Change] = [:]
  private var isShowing = false
  /// Whether the values are known: before that a controller would be shown positions that no parameter has.
  private var hasValues = false

  /// Makes the surface; ``run()`` starts it.
  ///
  /// - Parameters:
  ///   - tree: The surface's own connection to the parameters.
  ///   - controllers: The controllers of the graph.
  ///   - learned: The mappings that were learned in earlier runs, by controller; of others than the graph's, guests' count.
  public init(
    tree: any ParameterTree,
    controllers: [GraphFile.Controller],
    learned: [String: [ControlMapping]] = [:],
  ) {
    self.tree = tree
    units = ControllerUnits(controllers, learned: learned)
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

  /// Goes over to the controllers of another version of the graph; those that are plugged in stay so.
  ///
  /// - Throws: `refused` for one watcher too many.
  public func take(_ controllers: [GraphFile.Controller]) async throws(ControlError) {
    units.take(controllers)
    try await watch()
  }

  /// Serves a controller from its plugging in to its unplugging.
  ///
  /// All that it shows is sent first; the mappings are those of its name.
  ///
  /// - Parameter port: The controller's port.
  public func serve(_ port: any ControllerPort) async {
    let name = port.name
    guard let plug = units.plug(port) else { return }
    show()
    units[name]?.arm(values, at: now)
    let hasMeters = units[name]?.hasMeters == true
    if hasMeters { await watchMeters() }
    for await message in port.messages {
      // A port that comes back before the old one's messages were read takes its place.
      guard units[name]?.plugCount == plug else { return }
      take(message, from: name)
    }
    units.unplug(name, plug: plug)
    if hasMeters { await watchMeters() }
  }

  /// The time since the start, in milliseconds.
  var now: Double {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    return Double(seconds) * 1e3 + Double(attoseconds) / 1e15
  }
}

// MARK: - Parameters

extension ControllerSurface {
  /// Watches all mapped parameters, and learns their ranges.
  func watch() async throws(ControlError) {
    let paths = units.paths
    let present = try await tree.watch(paths, echoes: false)
    // A value that is about to be set is newer, and so is one that the audio thread has set.
    let moved = values.filter { path, _ in
      pending[path] != nil || path == inFlight
        || (path == DirectMoves.path && directMoves.isWaiting(at: now))
    }
    values = Dictionary(present.map { ($0.path, $0.value) }) { _, last in last }
    values.merge(moved) { _, moved in moved }
    let all = try await tree.list("/")
    let described = Dictionary(all.map { ($0.path, $0) }) { first, _ in first }
    for path in paths { describe(path, described[path]) }
    hasValues = true
    showAll(paths)
  }

  /// Watches the meters of the controllers that are plugged in.
  private func watchMeters() async {
    // The host refuses only one watcher too many, and tells of that itself; the lights stay dark then.
    try? await watch()
  }

  private func take(_ changes: ParameterChanges) async {
    if let steps = changes.renamed { rename(steps) }
    for path in changes.removed {
      values[path] = nil
      stranded[path] = nil
      describe(path, nil)
    }
    for change in changes.changes {
      // This may be older than what is about to be set; the host knows afterwards.
      guard pending[change.path] == nil, inFlight != change.path else {
        overtaken.insert(change.path)
        continue
      }
      guard !directMoves.cause(change, at: now) else { continue }
      let isNew = values.updateValue(change.value, forKey: change.path) == nil
      // One that has gone meanwhile is told as removed.
      if isNew, let found = try? await tree.list(change.path).first { describe(change.path, found) }
    }
    showAll(changes.changes.map(\.path) + changes.removed)
  }

  /// Goes on with parameters under other paths: positions, takeovers and changes on their way stay as they are.
  private func rename(_ steps: [ParameterRename]) {
    values = steps.values(after: values)
    pending = steps.values(after: pending)
    overtaken = Set(overtaken.map(steps.path(after:)))
    inFlight = inFlight.map(steps.path(after:))
    units.rename(steps)
    for (path, change) in stranded where steps.path(after: path) != path {
      retry(change, as: steps.path(after: path))
    }
    stranded = [:]
    for path in pending.keys { pending[path]?.path = path }
    for index in due.indices { due[index].path = steps.path(after: due[index].path) }
    write()
  }

  /// Sets what was set under an older path, unless the control has moved since.
  private func retry(_ change: MappedControl.Change, as path: String) {
    guard pending[path] == nil else { return }
    pending[path] = change
    pending[path]?.path = path
  }

  private func describe(_ path: String, _ parameter: ParameterDescription?) {
    units.forEachControl { if $0.path == path { $0.describe(parameter) } }
  }

  private func showAll(_ paths: [String]) {
    let paths = Set(paths)
    units.forEachControl { if paths.contains($0.path) { $0.needsShowing = true } }
    units.arm(values, at: now)
    show()
  }

  /// Sends what changed to all controllers, at most once in ``showInterval``.
  private func show() {
    guard hasValues, !isShowing else { return }
    isShowing = true
    units.show(values, at: now)
    Task {
      try? await Task.sleep(for: Self.showInterval)
      isShowing = false
      if units.isWaiting { show() }
    }
  }

  /// Sets what has moved: the latest value of each parameter once the set before it is done.
  private func write() {
    guard !isWriting, !pending.isEmpty else { return }
    isWriting = true
    Task {
      while !pending.isEmpty {
        due = pending.values.sorted { $0.path < $1.path }
        pending = [:]
        while !due.isEmpty { await write(due.removeFirst()) }
      }
      isWriting = false
    }
  }

  private func write(_ change: MappedControl.Change) async {
    inFlight = change.path
    defer { inFlight = nil }
    let setting = ParameterSetting(path: change.path, value: change.value)
    var isSet = true
    do {
      try await tree.set([setting], rampMilliseconds: change.rampMilliseconds)
    } catch {
      isSet = false
    }
    // A renaming may have been told meanwhile.
    guard let path = inFlight else { return }
    stranded[path] = nil
    if !isSet, path != change.path { return retry(change, as: path) }
    guard !isSet || (overtaken.contains(path) && pending[path] == nil) else { return }
    // The control must show the parameter's value, which need not be what it has asked for.
    let present = try? await tree.get([path]).first?.value
    guard let path = inFlight else { return }
    overtaken.remove(path)
    guard let present else {
      // One that has gone is told as removed, one with another path as renamed.
      if path == change.path { stranded[path] = change } else { retry(change, as: path) }
      return
    }
    if pending[path] == nil { values[path] = present }
    showAll([path])
  }
}

// MARK: - Controls

extension ControllerSurface {
  private func take(_ message: MIDIMessage, from name: String) {
    guard var unit = units[name].take() else { return }
    let moves = unit.moves(in: message.bytes)
    if lesson?.take(moves, from: name, at: now) == true {
      units[name] = unit
      return
    }
    var changed: Set<String> = []
    for index in unit.controls.indices {
      let path = unit.controls[index].path
      for move in moves {
        if let position = message.crossfaderPosition, path == DirectMoves.path,
          unit.controls[index].mapping.control.takes(move)
        {
          directMoves.note(position, at: now)
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
    for other in units.names where other != name {
      guard var unit = units[other].take() else { continue }
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
