// SPDX-License-Identifier: MIT

internal import ControlProtocol

/// The parameters that one connection watches, with the values that it knows.
///
/// Only the latest value of a parameter counts, however often it has changed since the last message.
/// Pure value: [any-thread].
struct ParameterWatcher: Sendable {
  /// The paths of parameters and branches.
  let paths: [String]
  /// Whether its own changes are sent back to it.
  let echoes: Bool
  private var known: [String: ParameterValue]
  /// The values that it has set itself since the last message.
  private var own: [String: ParameterValue] = [:]

  /// Makes a watcher that knows the present values.
  init(paths: [String], echoes: Bool, values: [String: ParameterValue]) {
    self.paths = paths
    self.echoes = echoes
    known = [:]
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

  private func watched(among values: [String: ParameterValue]) -> [String: ParameterValue] {
    values.filter { path, _ in paths.contains { ParameterPath.isPath(path, on: $0) } }
  }

  private static func sorted(_ values: [String: ParameterValue]) -> [ParameterSetting] {
    values.map { ParameterSetting(path: $0.key, value: $0.value) }.sorted { $0.path < $1.path }
  }
}
