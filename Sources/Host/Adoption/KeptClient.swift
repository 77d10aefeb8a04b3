// SPDX-License-Identifier: MIT

/// What is kept of an adopted client for its return.
struct KeptClient: Sendable, Equatable, Codable {
  /// Its fader in dB.
  var gainDB: Double
  /// Whether it was muted.
  var isMuted: Bool
  /// Where its user had it heard, by short names of its outputs; empty where it connects itself.
  var placedByHand: [String: Set<String>] = [:]
}
