// SPDX-License-Identifier: MIT

internal import ControlProtocol

/// The parameters that one connection watches, with the values that it knows.
///
/// Only the latest value of a parameter counts, however often it has changed since the last message.
/// Pure value: [any-thread].
struct ParameterWatcher: Sendable {
  /// The paths of parameters and branches, without slashes at their ends.
  private let branches: Set<String>
  /// Whether its own changes are sent back to it.
  private let echoes: Bool
  /// Whether levels on its branches are sent to it.
  private let hasLevels: Bool
  private var known: [String: ParameterValue] = [:]
  /// The paths that are on none of the branches, so that each is compared only once.
  private var others: Set<String> = []
  /// The values that it has set itself since the last message.
  private var own: [String: ParameterValue] = [:]

  /// Makes a watcher that knows the present values.
  init(
    paths: [String],
    echoes: Bool,
    hasLevels: Bool = true,
    values: [String: ParameterValue],
  ) {
    branches = Set(paths.map(ParameterPath.branch))
    self.echoes = echoes
    self.hasLevels = hasLevels
    known = watched(among: values)
  }

  /// The values that it watches, sorted by path.
  var settings: [ParameterSetting] { Self.sorted(known) }

  /// Notes that its connection has set a parameter.
  mutating func hasSet(_ setting: ParameterSetting) { own[setting.path] = setting.value }

  /// Takes in the present values.
  ///
  /// - Returns: The values that it does not know yet; nil without any.
  mutating func changes(to values: [String: ParameterValue]) -> ParameterChanges? {
    let now = watched(among: values)
    defer {
      known = now
      own.removeAll()
    }
    let changed = now.filter { path, value in
      known[path] != value && (echoes || own[path] != value)
    }
    let removed = known.keys.filter { now[$0] == nil }.sorted()
    guard !changed.isEmpty || !removed.isEmpty else { return nil }
    return ParameterChanges(changes: Self.sorted(changed), removed: removed)
  }

  private mutating func watched(among values: [String: ParameterValue]) -> [String: ParameterValue]
  {
    // Parameters that have gone would fill it in time.
    if others.count > 2 * values.count { others = others.filter { values[$0] != nil } }
    return values.filter { path, value in
      if known[path] != nil { return true }
      if others.contains(path) { return false }
      let isWatched =
        !hasLevels && value.isLevel
        ? branches.contains(path)
        : ParameterPath.branches(of: path).contains(where: branches.contains)
      if !isWatched { others.insert(path) }
      return isWatched
    }
  }

  private static func sorted(_ values: [String: ParameterValue]) -> [ParameterSetting] {
    values.map { ParameterSetting(path: $0.key, value: $0.value) }.sorted { $0.path < $1.path }
  }
}

extension ParameterValue {
  /// Whether it is that of levels, which change all the time. [any-thread]
  var isLevel: Bool { if case .numbers = self { true } else { false } }
}
