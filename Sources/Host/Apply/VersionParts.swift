// SPDX-License-Identifier: MIT

internal import GraphFiles

/// The strips and routes that another version of the graph patches or describes anew.
///
/// Pure value: [any-thread].
struct VersionParts {
  private let before: GraphFile
  private let next: GraphFile
  private let renames: PortRenames

  /// Compares two versions.
  ///
  /// - Parameters:
  ///   - before: The version in force, with the names of the next one.
  ///   - next: The next version.
  ///   - renames: The sources and routes that get other names.
  init(from before: GraphFile, to next: GraphFile, _ renames: PortRenames) {
    self.before = before
    self.next = next
    self.renames = renames
  }

  /// The sources that are fed anew: they are silent while they are patched.
  var rewiredStrips: Set<String> {
    Set(
      next.sources.filter { source in
        guard let former = before.source(named: source.name) else { return false }
        if case .inputRoute(let name) = source.kind,
          before.route(named: name)?.ports != next.route(named: name)?.ports
        {
          return true
        }
        return former.kind != source.kind || former.channels != source.channels
      }.map(\.name)
    )
  }

  /// The routes that are heard at other ports: they are silent while they are patched.
  var rewiredRoutes: Set<String> {
    Set(
      next.outputRoutes.filter { route in
        guard let former = before.route(named: route.name) else { return false }
        return former.direction == .output
          && (former.ports != route.ports || former.helper != route.helper)
      }.map(\.name)
    )
  }

  /// The channels of all that is patched anew.
  var rewiredChannels: Int {
    let strips = rewiredStrips.map { next.source(named: $0)?.channels ?? 2 }
    let routes = rewiredRoutes.map { next.route(named: $0)?.channels ?? 2 }
    return (strips + routes).reduce(0, +)
  }

  /// The strips with new connections.
  var connectedStrips: Set<String> {
    rewiredStrips.union(next.sources.map(\.name).filter { before.source(named: $0) == nil })
  }

  /// The routes with new connections.
  var connectedRoutes: Set<String> {
    rewiredRoutes.union(next.outputRoutes.map(\.name).filter { before.route(named: $0) == nil })
  }

  /// The strips with new or renamed ports, or another label.
  var relabeledStrips: [String] {
    relabeled(next.sources.map { ($0.name, $0.label) }) { before.source(named: $0)?.label }
  }

  /// The routes with new or renamed ports, or another label.
  var relabeledRoutes: [String] {
    relabeled(next.outputRoutes.map { ($0.name, $0.label) }) { before.route(named: $0)?.label }
  }

  private func relabeled(
    _ groups: [(name: String, label: String?)],
    _ former: (String) -> String?,
  ) -> [String] {
    groups.filter { group in
      !before.has(group.name) || former(group.name) != group.label
        || renames.strips.values.contains(group.name) || renames.routes.values.contains(group.name)
    }.map(\.name)
  }
}
