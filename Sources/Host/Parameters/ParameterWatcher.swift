// SPDX-License-Identifier: MIT

internal import ControlProtocol

/// The parameters that one connection watches, with the changes that it has not been told of yet.
///
/// Only the latest value of a parameter counts, however often it has changed since the last message.
/// Pure value: [any-thread].
struct ParameterWatcher: Sendable {
  /// The paths of parameters and branches, without slashes at their ends.
  private var branches: Set<String>
  /// Whether its own changes are sent back to it.
  private let echoes: Bool
  /// Whether levels on its branches are sent to it.
  private let hasLevels: Bool
  /// Whether a path is on one of the branches, so that each is compared only once.
  private var isWatched: [String: Bool] = [:]
  /// The values that it has set itself since the last snapshot.
  private var own: [String: ParameterValue] = [:]
  /// The values that it has set itself before the last snapshot, and after the one that was compared last.
  private var shown: [String: ParameterValue] = [:]
  /// The changes that it is to be told of next.
  private var news = ParameterNews()

  /// Whether one of its parameters is a level.
  private(set) var watchesLevels = false
  /// Whether one of its parameters is the reason for which a strip is silent.
  private(set) var watchesReasons = false

  /// Whether there are changes that it has not been told of.
  var hasNews: Bool { !news.isEmpty }

  /// Makes a watcher without news.
  init(paths: [String], echoes: Bool, hasLevels: Bool = true) {
    branches = Set(paths.map(ParameterPath.spelled))
    self.echoes = echoes
    self.hasLevels = hasLevels
  }

  /// The values that it watches among all, sorted by path.
  mutating func settings(among values: [String: ParameterValue]) -> [ParameterSetting] {
    ParameterNews.sorted(values.filter { watches($0, $1) })
  }

  /// Notes that its connection has set a parameter.
  mutating func hasSet(_ setting: ParameterSetting) { own[setting.path] = setting.value }

  /// Notes that a snapshot was taken, with which the next changes will be found.
  mutating func hasBeenShown() {
    shown.merge(own) { $1 }
    own = [:]
  }

  /// Takes in what has changed of all parameters between two snapshots.
  mutating func take(_ all: ParameterNews) {
    for (path, value) in all.values where watches(path, value) {
      news.values[path] = echoes || shown[path] != value ? value : nil
      news.removed.remove(path)
    }
    for path in all.removed {
      if isWatched.removeValue(forKey: path) == true { news.removed.insert(path) }
      news.values[path] = nil
    }
    shown.removeAll()
  }

  /// Goes on with other paths, which are told with the next changes.
  ///
  /// - Parameters:
  ///   - steps: The branches with other paths.
  ///   - values: All values under their new paths.
  mutating func rename(_ steps: [ParameterRename], now values: [String: ParameterValue]) {
    branches = Set(branches.map(steps.path(after:)))
    own = steps.values(after: own)
    shown = steps.values(after: shown)
    news = news.renamed(by: steps)
    for step in steps where reaches(step.to) { news.renamed.append(step) }
    let before = isWatched.filter { $0.value }.keys.map(steps.path(after:))
    isWatched = Dictionary(before.map { ($0, true) }) { first, _ in first }
    // A path that it has waited for may be there now.
    for (path, value) in values where isWatched[path] != true && watches(path, value) {
      news.values[path] = value
    }
  }

  /// Whether a branch and one of its own have parameters in common.
  private func reaches(_ branch: String) -> Bool {
    ParameterPath.branches(of: branch).contains(where: branches.contains)
      || branches.contains { $0.hasPrefix(branch + "/") }
  }

  /// The changes since the last call; nil without any.
  mutating func takeChanges() -> ParameterChanges? {
    defer { news = ParameterNews() }
    return news.isEmpty ? nil : news.changes
  }

  private mutating func watches(_ path: String, _ value: ParameterValue) -> Bool {
    if let known = isWatched[path] { return known }
    let isWatched =
      !hasLevels && value.isLevel
      ? branches.contains(path)
      : ParameterPath.branches(of: path).contains(where: branches.contains)
    self.isWatched[path] = isWatched
    if isWatched {
      watchesLevels = watchesLevels || value.isLevel
      watchesReasons = watchesReasons || ParameterKind.isReason(path)
    }
    return isWatched
  }
}

/// Parameters that have changed, come or gone, or have other paths.
///
/// Pure value: [any-thread].
struct ParameterNews: Sendable {
  /// The branches with other paths, before all changes.
  var renamed: [ParameterRename] = []
  /// The latest values of those that have changed or come.
  var values: [String: ParameterValue] = [:]
  /// The paths of those that have gone.
  var removed: Set<String> = []

  /// Nothing has changed.
  init() {}

  /// Compares the values of all parameters with those of before.
  init(from old: [String: ParameterValue], to now: [String: ParameterValue]) {
    values = now.filter { old[$0] != $1 }
    removed = Set(old.keys.filter { now[$0] == nil })
  }

  /// Whether nothing has changed.
  var isEmpty: Bool { renamed.isEmpty && values.isEmpty && removed.isEmpty }

  /// The same, as a connection is told of it.
  var changes: ParameterChanges {
    ParameterChanges(
      renamed: renamed.isEmpty ? nil : renamed,
      changes: Self.sorted(values),
      removed: removed.sorted(),
    )
  }

  /// The same under other paths.
  func renamed(by steps: [ParameterRename]) -> ParameterNews {
    var news = self
    news.values = steps.values(after: values)
    news.removed = Set(removed.map(steps.path(after:)))
    return news
  }

  /// Values sorted by path.
  static func sorted(_ values: [String: ParameterValue]) -> [ParameterSetting] {
    values.map { ParameterSetting(path: $0.key, value: $0.value) }.sorted { $0.path < $1.path }
  }
}

extension ParameterValue {
  /// Whether it is that of levels, which change all the time. [any-thread]
  var isLevel: Bool { if case .numbers = self { true } else { false } }
}
