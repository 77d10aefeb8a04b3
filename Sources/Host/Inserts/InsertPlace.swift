// SPDX-License-Identifier: MIT

internal import ControlProtocol

/// Where a chain of effects is.
enum InsertPlace: Hashable, Sendable {
  /// Between what is heard and its strip.
  case strip(String)
  /// Between a route and its ports.
  case route(String)

  /// The strip's id or the route's name.
  var name: String {
    switch self {
    case .strip(let name), .route(let name): name
    }
  }

  /// The place in words.
  var description: String {
    switch self {
    case .strip(let name): "strip '\(name)'"
    case .route(let name): "route '\(name)'"
    }
  }

  /// The place as an event's details.
  var details: [String: JSONValue] {
    switch self {
    case .strip(let name): ["strip": .string(name)]
    case .route(let name): ["route": .string(name)]
    }
  }
}
