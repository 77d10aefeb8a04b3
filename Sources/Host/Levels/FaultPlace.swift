// SPDX-License-Identifier: MIT

/// The place at which samples came in that are no sound.
///
/// Pure value: [any-thread].
enum FaultPlace: Hashable, Sendable {
  /// The input of a strip.
  case strip(String)
  /// The return of a route's effects.
  case route(String)
  /// A capture port that programs hear through gates, by its full name.
  case capture(String)

  /// The place of a chain of effects.
  init(_ place: InsertPlace) {
    self =
      switch place {
      case .strip(let name): .strip(name)
      case .route(let name): .route(name)
      }
  }

  /// The strip's id, the route's name or the port's.
  var name: String {
    switch self {
    case .strip(let name), .route(let name), .capture(let name): name
    }
  }

  /// The place and its sound in words.
  var description: String {
    switch self {
    case .strip(let name): "strip '\(name)': the sound that comes in"
    case .route(let name): "route '\(name)': the sound of its effects"
    case .capture(let port): "capture '\(port)': the sound that programs record"
    }
  }
}
