// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import Sessions

/// A route as the control tower sees it.
///
/// Pure value: [any-thread].
struct RoutePort: Sendable {
  let description: Sessions.PortDescription
  let isThere: Bool
}

extension Sessions.PortDescription {
  /// The server's own inputs, without a route.
  ///
  /// A route cannot have this name.
  static let systemInput = Self(uid: "system input", type: .lineIn, direction: .input)
}

extension GraphFile {
  /// Whether the graph records from the server's own inputs: by a source, or by permissions without an input route.
  var usesSystemInput: Bool {
    sources.contains { $0.kind == .systemInput }
      || permissions != nil && !routes.contains { $0.direction == .input }
  }
}
