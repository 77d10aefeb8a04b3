// SPDX-License-Identifier: MIT

internal import ControlProtocol

/// The positions that the audio thread has given to the crossfader for a controller, and that the host has not told yet.
///
/// The host tells of them later than the controller's own messages do. Taken for the moves of others, they would stop a fader that is
/// still on its way. Pure value: [any-thread].
struct DirectMoves {
  /// The parameter that the audio thread moves.
  static let path = "/crossfader/position"

  /// The most positions that wait, and the time after which the host does not tell of one, in milliseconds.
  private static let limit = 256
  private static let patience = 1_000.0

  private var waiting: [(position: Double, time: Double)] = []

  /// Takes note of a move.
  mutating func note(_ position: Double, at milliseconds: Double) {
    if waiting.count == Self.limit { waiting.removeFirst() }
    waiting.append((position, milliseconds))
  }

  /// Whether the host may still tell of a move.
  func isWaiting(at milliseconds: Double) -> Bool {
    waiting.last.map { milliseconds - $0.time < Self.patience } ?? false
  }

  /// Whether one of these moves has caused a change that the host tells of; it and those before it are forgotten.
  mutating func cause(_ change: ParameterSetting, at milliseconds: Double) -> Bool {
    guard change.path == Self.path, case .number(let position) = change.value else { return false }
    waiting.removeAll { milliseconds - $0.time >= Self.patience }
    guard let place = waiting.firstIndex(where: { abs($0.position - position) < 1e-6 }) else {
      waiting = []
      return false
    }
    waiting.removeSubrange(...place)
    return true
  }
}
