// SPDX-License-Identifier: MIT

/// A message of the host outside of answers: see ``Subscribe`` and ``WatchParameters``.
public enum ControlNotification: Sendable, Hashable {
  /// Levels.
  case meters(Meters)
  /// Something happened.
  case event(ControlEvent)
  /// Parameters have changed: see ``WatchParameters``.
  case parameters(ParameterChanges)
  /// A notification that this version does not know.
  case unknown(method: String, params: JSONValue)
}

extension ControlNotification {
  /// The name of levels on the wire.
  public static let metersMethod = "meters"
  /// The name of events on the wire.
  public static let eventMethod = "event"
  /// The name of changed parameters on the wire.
  public static let parametersMethod = "parameters"

  /// The name on the wire.
  public var method: String {
    switch self {
    case .meters: Self.metersMethod
    case .event: Self.eventMethod
    case .parameters: Self.parametersMethod
    case .unknown(let method, _): method
    }
  }
}
