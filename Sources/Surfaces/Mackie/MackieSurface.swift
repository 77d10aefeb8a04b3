// SPDX-License-Identifier: MIT

internal import ControlProtocol

/// The units of one control surface, and the tree of parameters that they show and set.
///
/// Nothing is watched while no unit is plugged in. [any-thread]
public actor MackieSurface {
  /// The time between two looks at what has to be shown.
  private static let tickInterval = Duration.milliseconds(50)

  private let tree: any ParameterTree
  private let clock = ContinuousClock()
  private let beginning: ContinuousClock.Instant
  private var control: MackieControl
  private var ports: [Int: any ControllerPort] = [:]
  /// The number of times that each unit was plugged in.
  private var plugs: [Int: Int] = [:]
  private var pending: [String: ParameterValue] = [:]
  private var order: [String] = []
  private var isSetting = false
  private var isWatching = false
  private var nextWatch: ContinuousClock.Instant
  private var ticking: Task<Void, Never>?

  /// Makes a surface whose units are not plugged in.
  ///
  /// - Parameters:
  ///   - tree: The tree, which the surface closes at its end.
  ///   - units: The units from left to right.
  ///   - order: The order of strips and routes.
  public init(tree: any ParameterTree, units: [MackieUnit], order: MackieOrder) {
    self.tree = tree
    control = MackieControl(units: units, order: order)
    beginning = clock.now
    nextWatch = beginning
  }

  /// Shows changes and events until the tree ends.
  public func run() async {
    for await news in tree.news {
      switch news {
      case .parameters(let changes):
        if let steps = changes.renamed {
          pending = steps.values(after: pending)
          order = order.map(steps.path(after:))
        }
        react(to: .changed(changes))
      // The units are still there while the host fades out.
      case .event(let event) where event.kind == .stopping: leave()
      case .event(let event): if event.isShown { react(to: .notice(event.message)) }
      }
    }
    leave()
  }

  /// Shows strips and routes in another order.
  public func take(_ order: MackieOrder) { react(to: .ordered(order)) }

  /// Clears the displays and lamps, and ends the use of the tree.
  public func end() async {
    leave()
    await tree.close()
  }

  /// Serves a unit from its plugging in to its unplugging.
  ///
  /// - Parameters:
  ///   - port: The controller.
  ///   - unit: The unit's place from the left.
  public func serve(_ port: any ControllerPort, asUnit unit: Int) async {
    let plug = plugs[unit, default: 0] + 1
    plugs[unit] = plug
    ports[unit] = port
    await watch()
    react(to: .plugged(unit: unit))
    if ticking == nil { tick() }
    for await message in port.messages { react(to: .received(message.bytes, unit: unit)) }
    // It may be back before its end is noticed.
    guard plugs[unit] == plug else { return }
    ports[unit] = nil
    react(to: .unplugged(unit: unit))
    guard ports.isEmpty else { return }
    ticking?.cancel()
    ticking = nil
    // Levels are computed only for those who watch them.
    isWatching = false
    // To watch nothing is never refused.
    _ = try? await tree.watch([], echoes: false)
  }

  /// Watches the mixer, unless that is done already.
  private func watch() async {
    guard !isWatching, clock.now >= nextWatch else { return }
    isWatching = true
    do throws(ControlError) {
      react(to: .loaded(try await tree.watch(MackieMixer.branches, echoes: false)))
    } catch {
      isWatching = false
      nextWatch = clock.now + .seconds(1)
      react(to: .notice(error.message))
    }
  }

  private func tick() {
    ticking = Task { [clock, weak self] in
      while !Task.isCancelled {
        try? await clock.sleep(for: Self.tickInterval)
        await self?.tickOnce()
      }
    }
  }

  private func tickOnce() async {
    await watch()
    react(to: .tick)
  }

  private func leave() {
    ticking?.cancel()
    ticking = nil
    react(to: .leaving)
  }

  private func react(to event: MackieEvent) {
    let reaction = control.react(to: event, at: clock.now - beginning)
    for message in reaction.messages { ports[message.unit]?.send(message.bytes) }
    guard !reaction.settings.isEmpty else { return }
    for setting in reaction.settings {
      if pending.updateValue(setting.value, forKey: setting.path) == nil {
        order.append(setting.path)
      }
    }
    if !isSetting { set() }
  }

  /// Sets the latest values; those of a moving fader while the host was busy are folded.
  private func set() {
    isSetting = true
    Task {
      while !order.isEmpty {
        let settings = order.compactMap { path in
          pending[path].map { ParameterSetting(path: path, value: $0) }
        }
        order = []
        pending = [:]
        for setting in settings { await set(setting) }
      }
      isSetting = false
    }
  }

  private func set(_ setting: ParameterSetting) async {
    do {
      try await tree.set([setting], rampMilliseconds: nil)
    } catch {
      react(to: .notice(error.message))
      // One that has gone is told as removed.
      guard let value = try? await tree.get([setting.path]) else { return }
      react(to: .changed(ParameterChanges(changes: value, removed: [])))
    }
  }
}

extension ControlEvent {
  /// Whether a display shows the event: late cycles, faults, and the loss of what was heard. [any-thread]
  fileprivate var isShown: Bool {
    switch kind {
    case .xrun, .inputFault, .nodeLate, .nodeFault, .alarm, .error, .serverLost, .serverBack,
      .routeUnavailable, .permission:
      true
    default: false
    }
  }
}
