// SPDX-License-Identifier: MIT

internal import ControlProtocol

/// The paths of parameters while sources and routes get other names.
///
/// Pure value: [any-thread].
struct PathRenames: Sendable {
  /// The sources and routes with other names.
  let names: PortRenames

  /// The steps from the paths of now to those afterwards: whole branches, and a branch before those on it.
  ///
  /// - Parameter paths: The paths that there are; a strip that none of them is on takes no step.
  /// - Returns: The steps, to be taken in their order.
  func steps(for paths: some Sequence<String>) -> [ParameterRename] {
    var steps: Set<ParameterRename> = []
    for path in paths { steps.formUnion(self.steps(from: path)) }
    return steps.sorted { (Self.depth($0), $0.from) < (Self.depth($1), $1.from) }
  }

  private func steps(from path: String) -> [ParameterRename] {
    var parts = path.dropFirst().split(separator: "/").map(String.init)
    var steps: [ParameterRename] = []
    for (index, new) in newNames(in: parts) {
      let from = Self.path(parts[...index])
      parts[index] = new
      steps.append(ParameterRename(from: from, to: Self.path(parts[...index])))
    }
    return steps
  }

  /// The places in a path at which a renamed source or route stands; their names are plain, so nothing is escaped.
  private func newNames(in parts: [String]) -> [(index: Int, name: String)] {
    let places: [(index: Int, names: [String: String])] =
      switch (parts.first, parts.dropFirst(2).first) {
      case ("strip", "send"): [(1, names.strips), (3, names.routes)]
      case ("strip", _): [(1, names.strips)]
      case ("route", _): [(1, names.routes)]
      case ("simulate", _) where parts.dropFirst().first == "unplug": [(2, names.routes)]
      default: []
      }
    return places.compactMap { place in
      guard parts.indices.contains(place.index), let name = place.names[parts[place.index]] else {
        return nil
      }
      return (place.index, name)
    }
  }

  private static func path(_ parts: ArraySlice<String>) -> String {
    parts.map { "/" + $0 }.joined()
  }

  private static func depth(_ step: ParameterRename) -> Int {
    step.from.utf8.count { $0 == UInt8(ascii: "/") }
  }
}

extension Meters {
  /// The levels under the new names of their strips and routes. [any-thread]
  func renamed(_ names: PortRenames) -> Meters {
    var meters = self
    for index in strips.indices {
      meters.strips[index].id = names.strips[strips[index].id] ?? strips[index].id
    }
    for index in routes.indices {
      meters.routes[index].id = names.routes[routes[index].id] ?? routes[index].id
    }
    return meters
  }
}
