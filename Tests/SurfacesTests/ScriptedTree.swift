// SPDX-License-Identifier: MIT

import ControlProtocol
import Surfaces
import Synchronization

/// A tree of parameters that a test fills, for surfaces without a host.
///
/// It knows no folding: each change is sent at once.
final class ScriptedTree: ParameterTree {
  let news: AsyncStream<TreeNews>

  private struct State {
    var parameters: [String: ParameterDescription] = [:]
    var watched: [String] = []
    var echoes = false
    /// The parameters that cannot be set.
    var refused: Set<String> = []
    var takesWatchers = true
    /// All that the surface has set, in its order.
    var set: [ParameterSetting] = []
  }

  private let state = Mutex(State())
  private let stream: AsyncStream<TreeNews>.Continuation

  /// Makes a tree of these parameters.
  init(_ parameters: [ParameterDescription]) {
    (news, stream) = AsyncStream.makeStream(of: TreeNews.self)
    state.withLock { state in
      for parameter in parameters { state.parameters[parameter.path] = parameter }
    }
  }

  /// All that the surface has set, in its order.
  var settings: [ParameterSetting] { state.withLock { $0.set } }

  /// Refuses to set a parameter from now on.
  func refuse(_ path: String) { state.withLock { _ = $0.refused.insert(path) } }

  /// Refuses to be watched, or not any more.
  func takeWatchers(_ takes: Bool) { state.withLock { $0.takesWatchers = takes } }

  /// Changes a parameter as somebody else would.
  func change(_ path: String, to value: ParameterValue) {
    let isWatched = state.withLock { state in
      state.parameters[path]?.value = value
      return Self.covers(state.watched, path)
    }
    if isWatched { send([ParameterSetting(path: path, value: value)]) }
  }

  /// Describes some parameters anew, after some have gone.
  func replace(_ parameters: [ParameterDescription], removing removed: [String]) {
    state.withLock { state in
      for path in removed { state.parameters[path] = nil }
      for parameter in parameters { state.parameters[parameter.path] = parameter }
    }
    let changes = parameters.map { ParameterSetting(path: $0.path, value: $0.value) }
    stream.yield(.parameters(ParameterChanges(changes: changes, removed: removed)))
  }

  /// Gives a branch another path, as another version of a graph does.
  func rename(_ from: String, to: String) { renameSilently(from, to: to)() }

  /// Gives a branch another path.
  ///
  /// - Returns: Tells the watcher of it.
  func renameSilently(_ from: String, to: String) -> () -> Void {
    let steps = [ParameterRename(from: from, to: to)]
    state.withLock { state in
      state.parameters = steps.values(after: state.parameters)
      for path in state.parameters.keys { state.parameters[path]?.path = path }
      state.watched = state.watched.map(steps.path(after:))
    }
    return { [stream] in
      stream.yield(.parameters(ParameterChanges(renamed: steps, changes: [], removed: [])))
    }
  }

  /// Sends an event.
  func send(_ event: ControlEvent) { stream.yield(.event(event)) }

  func list(_ branch: String) async throws(ControlError) -> [ParameterDescription] {
    let found = state.withLock { state in
      state.parameters.values.filter { Self.covers([branch], $0.path) }
    }
    guard !found.isEmpty || branch == "/" else { throw Self.unknown(branch) }
    return found.sorted { $0.path < $1.path }
  }

  func get(_ paths: [String]) async throws(ControlError) -> [ParameterSetting] {
    var found: [ParameterSetting] = []
    for path in paths {
      let value = state.withLock { $0.parameters[path]?.value }
      guard let value else { throw Self.unknown(path) }
      found.append(ParameterSetting(path: path, value: value))
    }
    return found
  }

  func set(_ settings: [ParameterSetting], rampMilliseconds: Double?) async throws(ControlError) {
    for setting in settings {
      guard state.withLock({ $0.parameters[setting.path] }) != nil else {
        throw Self.unknown(setting.path)
      }
      guard !state.withLock({ $0.refused.contains(setting.path) }) else {
        throw ControlError(.refused, message: "\(setting.path) cannot be set now")
      }
    }
    let echoes = state.withLock { state in
      for setting in settings { state.parameters[setting.path]?.value = setting.value }
      state.set += settings
      return state.echoes ? settings.filter { Self.covers(state.watched, $0.path) } : []
    }
    if !echoes.isEmpty { send(echoes) }
  }

  func watch(_ paths: [String], echoes: Bool) async throws(ControlError) -> [ParameterSetting] {
    guard paths.isEmpty || state.withLock({ $0.takesWatchers }) else {
      throw ControlError(.refused, message: "too many watch")
    }
    return state.withLock { state in
      state.watched = paths
      state.echoes = echoes
      return state.parameters.values.filter { Self.covers(paths, $0.path) }
        .map { ParameterSetting(path: $0.path, value: $0.value) }.sorted { $0.path < $1.path }
    }
  }

  func close() async { stream.finish() }

  private func send(_ changes: [ParameterSetting]) {
    stream.yield(.parameters(ParameterChanges(changes: changes, removed: [])))
  }

  private static func covers(_ branches: [String], _ path: String) -> Bool {
    branches.contains { $0 == "/" || path == $0 || path.hasPrefix($0 + "/") }
  }

  private static func unknown(_ path: String) -> ControlError {
    ControlError(
      .badValue,
      place: "path",
      fault: "there is no parameter '\(path)'",
      allowed: "a path that 'list' shows, such as /strip/NAME/gain",
    )
  }
}
