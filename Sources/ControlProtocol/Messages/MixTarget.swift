// SPDX-License-Identifier: MIT

/// The target of a gain, mute or fade.
///
/// Pure value: [any-thread].
public enum MixTarget: Hashable, Sendable {
  /// A strip, by id.
  case strip(String)
  /// A route, by name.
  case route(String)
  /// The send from a strip to a route.
  case send(strip: String, route: String)

  /// Makes a target of the given names: a strip, a route, or both for the send between them.
  public init?(strip: String?, route: String?) {
    switch (strip, route) {
    case (let strip?, let route?): self = .send(strip: strip, route: route)
    case (let strip?, nil): self = .strip(strip)
    case (nil, let route?): self = .route(route)
    case (nil, nil): return nil
    }
  }

  /// The strip's id where a strip takes part.
  public var strip: String? {
    switch self {
    case .strip(let strip), .send(let strip, _): strip
    case .route: nil
    }
  }

  /// The route's name where a route takes part.
  public var route: String? {
    switch self {
    case .route(let route), .send(_, let route): route
    case .strip: nil
    }
  }
}

/// Pure value: [any-thread].
extension MixTarget: Codable {
  private enum CodingKeys: String, CodingKey { case strip, route }

  /// Reads the keys `strip` and `route` of the object that is being read.
  ///
  /// - Throws: `invalidParams` when neither is there.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let strip = try container.decodeIfPresent(String.self, forKey: .strip)
    let route = try container.decodeIfPresent(String.self, forKey: .route)
    guard let target = MixTarget(strip: strip, route: route) else {
      throw ControlError(
        .invalidParams,
        place: "strip, route",
        fault: "neither is given",
        allowed: "a strip's id, a route's name, or both for the send between them",
      )
    }
    self = target
  }

  /// Writes the keys `strip` and `route` into the object that is being written.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(strip, forKey: .strip)
    try container.encodeIfPresent(route, forKey: .route)
  }
}

extension MixTarget: CustomStringConvertible {
  /// The target in words.
  public var description: String {
    switch self {
    case .strip(let strip): "strip '\(strip)'"
    case .route(let route): "route '\(route)'"
    case .send(let strip, let route): "send '\(strip)' → '\(route)'"
    }
  }
}
