// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket

/// The one tree of parameters: everything that can be set or watched, by path.
///
/// A change is sent to each connection that watches it, at most every 20 ms, with the latest value. Nothing is polled: the
/// values are compared after each event of the host, on another thread than that of control, which requests wait for.
/// Belongs to the control thread.
final class ParameterRoom {
  /// The connections of this room to the rest of the host.
  struct Links {
    /// The state of the host now.
    var snapshot: () -> ParameterSnapshot
    /// Sends changes to connections.
    var send: (ParameterChanges, [ConnectionID]) -> Void
    /// Says whether levels are to be read.
    var levelsWatched: (Bool) -> Void
    /// Why strips are silent or lowered.
    var reasons: (HostStatus) -> [String: String] = { _ in [:] }
    /// The facts of a parameter of a kind whose parameters differ; nil for one that is not there.
    var details: (ParameterKind, [String]) -> ParameterKind.Details? = { _, _ in nil }
  }

  /// The most connections that watch: each costs the control thread time with each change.
  static let watcherLimit = 128
  /// The shortest time between two messages to a connection.
  static let foldNanoseconds: UInt64 = 20_000_000

  private let control: Control
  private let links: Links
  private let kinds = ParameterKind.all
  private var watchers: [ConnectionID: ParameterWatcher] = [:]
  /// The values of all parameters when they were compared last; empty while nobody watches.
  private var compared: [String: ParameterValue] = [:]
  /// Counts how often `compared` has been replaced: a comparison with older values says nothing new.
  private var comparisons = 0
  /// Whether values are being compared on another thread.
  private var isComparing = false
  /// Whether another comparison has been asked for meanwhile.
  private var hasChangedMeanwhile = false
  private var meters: Meters?
  private var transport: TransportReading?
  private var areReasonsWatched = false
  private var areLevelsWatched = false
  private lazy var sending = Folding(
    control: control,
    intervalNanoseconds: Self.foldNanoseconds
  ) { [unowned self] in send() }

  /// Makes a room without watchers.
  init(control: Control, links: Links) {
    self.control = control
    self.links = links
  }

  /// Whether no values are being compared: all that is new has been sent.
  var isSettled: Bool { !isComparing }

  // MARK: - Reading

  /// All parameters on a branch, sorted by path.
  ///
  /// - Throws: `badValue` for a branch without any.
  func list(_ params: ListParameters.Params) throws(ControlError) -> ListParameters.Result {
    let branch = ParameterPath.spelled(params.path ?? "/")
    let snapshot = snapshot(withReasons: true)
    let found = kinds.flatMap { kind in
      kind.instances(snapshot).map(kind.description(of:))
    }.filter { ParameterPath.branches(of: $0.path).contains(branch) }
    guard !found.isEmpty || branch == "/" else { throw Self.unknown(branch) }
    return ListParameters.Result(parameters: found.sorted { $0.path < $1.path })
  }

  /// The values of parameters, in the order of the paths, under the paths of the tree.
  ///
  /// - Throws: `badValue` for a path without a parameter.
  func get(_ params: GetParameters.Params) throws(ControlError) -> ParameterValues {
    let paths = params.paths.map(ParameterPath.spelled)
    let now = values(withReasons: paths.contains(where: ParameterKind.isReason))
    var found: [ParameterSetting] = []
    for path in paths {
      guard let value = now[path] else { throw Self.unknown(path) }
      found.append(ParameterSetting(path: path, value: value))
    }
    return ParameterValues(values: found)
  }

  /// The present values of the parameters that scenes have, sorted by path.
  var sceneValues: [ParameterSetting] {
    let snapshot = snapshot(withReasons: false)
    return kinds.filter(\.isInScenes).flatMap { kind in
      kind.instances(snapshot).map {
        ParameterSetting(path: kind.path($0.names), value: $0.value)
      }
    }.sorted { $0.path < $1.path }
  }

  private func values(withReasons: Bool) -> [String: ParameterValue] {
    let snapshot = snapshot(withReasons: withReasons)
    return Self.values(of: kinds, in: snapshot)
  }

  /// The values of all parameters in a state of the host. [any-thread]
  private static func values(
    of kinds: [ParameterKind],
    in snapshot: ParameterSnapshot,
  ) -> [String: ParameterValue] {
    Dictionary(
      kinds.flatMap { kind in
        kind.instances(snapshot).map { (kind.path($0.names), $0.value) }
      }
    ) { first, _ in first }
  }

  private func snapshot(withReasons: Bool) -> ParameterSnapshot {
    var snapshot = links.snapshot()
    snapshot.meters = meters
    if withReasons { snapshot.reasons = links.reasons(snapshot.status) }
    return snapshot
  }

  // MARK: - Setting

  /// A checked change of one parameter.
  struct Order {
    let kind: ParameterKind
    let setting: ParameterSetting
    let names: [String]
  }

  /// Checks changes: paths, types and ranges.
  ///
  /// - Throws: `badValue` or `refused` for the first fault; nothing has been changed then.
  func orders(_ settings: [ParameterSetting]) throws(ControlError) -> [Order] {
    var orders: [Order] = []
    for setting in settings {
      guard let names = ParameterPath.names(setting.path) else { throw Self.unknown(setting.path) }
      let found = kinds.lazy.compactMap { kind in kind.names(in: names).map { (kind, $0) } }.first
      guard let (found, keys) = found else { throw Self.unknown(setting.path) }
      var kind = found
      if kind.details != nil {
        guard let details = links.details(kind, keys) else { throw Self.unknown(setting.path) }
        kind = kind.with(details)
      }
      let value = try kind.checked(setting)
      let checked = ParameterSetting(path: kind.path(keys), value: value)
      orders.append(Order(kind: kind, setting: checked, names: keys))
    }
    return orders
  }

  /// Notes that a connection has set a parameter, so that it does not get its own value back.
  func hasSet(_ setting: ParameterSetting, by connection: ConnectionID) {
    watchers[connection]?.hasSet(setting)
    changed()
  }

  /// The error of a path without a parameter.
  static func unknown(_ path: String) -> ControlError {
    ControlError(
      .badValue,
      place: "path",
      fault: "there is no parameter '\(path)'",
      allowed: "a path that 'list' shows, such as /strip/NAME/gain",
    )
  }

  // MARK: - Watching

  /// Begins, changes or ends the notifications of a connection.
  ///
  /// - Returns: The present values of all that it watches.
  /// - Throws: `refused` for one connection too many.
  func watch(
    _ params: WatchParameters.Params,
    for connection: ConnectionID,
  ) throws(ControlError) -> ParameterValues {
    guard
      params.paths.isEmpty || watchers[connection] != nil || watchers.count < Self.watcherLimit
    else {
      throw ControlError(
        .refused,
        place: "watch",
        fault: "\(watchers.count) connections watch parameters",
        allowed: "\(Self.watcherLimit) at once",
      )
    }
    guard !params.paths.isEmpty else {
      connectionClosed(connection)
      return ParameterValues(values: [])
    }
    compare(withReasons: true)
    // News for the others must not wait for another change.
    if watchers.values.contains(where: \.hasNews) { sending.ask() }
    var watcher = ParameterWatcher(
      paths: params.paths,
      echoes: params.echo ?? false,
      hasLevels: params.levels ?? true,
    )
    let settings = watcher.settings(among: compared)
    watchers[connection] = watcher
    tellLevels()
    return ParameterValues(values: settings)
  }

  /// Forgets a connection that is gone.
  func connectionClosed(_ connection: ConnectionID) {
    guard watchers.removeValue(forKey: connection) != nil else { return }
    if watchers.isEmpty {
      compared = [:]
      comparisons += 1
    }
    tellLevels()
  }

  private func tellLevels() {
    areReasonsWatched = watchers.values.contains(where: \.watchesReasons)
    let areLevelsWatched = watchers.values.contains(where: \.watchesLevels)
    guard areLevelsWatched != self.areLevelsWatched else { return }
    self.areLevelsWatched = areLevelsWatched
    if !areLevelsWatched { meters = nil }
    links.levelsWatched(areLevelsWatched)
  }

  /// Takes in new levels.
  func take(_ meters: Meters) {
    guard areLevelsWatched else { return }
    self.meters = meters
    changed()
  }

  /// Takes in the transport, which moves by itself.
  func take(_ transport: TransportReading?) {
    guard !watchers.isEmpty, transport != self.transport else { return }
    self.transport = transport
    changed()
  }

  /// Something may have changed: the watchers are told soon.
  func changed() {
    if !watchers.isEmpty { sending.ask() }
  }

  /// Compares all values with those of before, once for all watchers.
  private func compare(withReasons: Bool) {
    let now = Self.values(of: kinds, in: shownSnapshot(withReasons: withReasons))
    take(ParameterNews(from: compared, to: now), with: now)
  }

  /// A snapshot to compare: what watchers set from now on is not in it.
  private func shownSnapshot(withReasons: Bool) -> ParameterSnapshot {
    for connection in watchers.keys { watchers[connection]?.hasBeenShown() }
    return snapshot(withReasons: withReasons)
  }

  private func take(_ news: ParameterNews, with now: [String: ParameterValue]) {
    compared = now
    comparisons += 1
    guard !news.isEmpty else { return }
    for connection in watchers.keys { watchers[connection]?.take(news) }
  }

  /// Compares beside the control thread, and sends what is new.
  private func send() {
    guard !watchers.isEmpty else { return }
    hasChangedMeanwhile = isComparing
    if isComparing { return }
    isComparing = true
    let snapshot = shownSnapshot(withReasons: areReasonsWatched)
    let (kinds, old, comparison) = (kinds, compared, comparisons)
    control.task { [weak self] in
      let (now, news) = await Task.detached {
        let now = Self.values(of: kinds, in: snapshot)
        return (now, ParameterNews(from: old, to: now))
      }.value
      self?.finish(comparison, now, news)
    }
  }

  private func finish(
    _ comparison: Int,
    _ now: [String: ParameterValue],
    _ news: ParameterNews,
  ) {
    isComparing = false
    guard !watchers.isEmpty else { return }
    // Otherwise somebody has begun to watch meanwhile, and the values of that moment are newer.
    if comparison == comparisons { take(news, with: now) }
    tellLevels()
    tell()
    if hasChangedMeanwhile {
      hasChangedMeanwhile = false
      sending.ask()
    }
  }

  /// Sends each watcher what is new for it; those with the same news get one message.
  private func tell() {
    var readers: [ParameterChanges: [ConnectionID]] = [:]
    for connection in watchers.keys {
      if let changes = watchers[connection]?.takeChanges() {
        readers[changes, default: []].append(connection)
      }
    }
    for (changes, connections) in readers { links.send(changes, connections) }
  }

  // MARK: - Renaming

  /// Sends all that has changed so far, under the paths of now: ``rename(_:)`` follows.
  func tellNow() {
    guard !watchers.isEmpty else { return }
    compare(withReasons: areReasonsWatched)
    tell()
  }

  /// Gives strips and routes other names: whoever watches their parameters is told once, and goes on with the new paths.
  func rename(_ names: PortRenames) {
    guard !watchers.isEmpty else { return }
    let steps = PathRenames(names: names).steps(for: compared.keys)
    guard !steps.isEmpty else { return }
    compared = steps.values(after: compared)
    comparisons += 1
    meters = meters?.renamed(names)
    for connection in watchers.keys { watchers[connection]?.rename(steps, now: compared) }
    tellLevels()
    tell()
    changed()
  }
}
