// SPDX-License-Identifier: MIT

/// What a host sends without being asked in particular: see ``Subscribe``.
public enum ControlNotification: Sendable, Hashable {
  /// Levels.
  case meters(Meters)
  /// Something happened.
  case event(ControlEvent)
  /// A notification that this version does not know.
  case unknown(method: String, params: JSONValue)
}
