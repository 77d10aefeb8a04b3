// SPDX-License-Identifier: MIT

/// The pace of the messages to a controller that cannot take more.
///
/// Pure value: [any-thread].
struct MessagePace {
  /// The time between two rounds of messages: those of a round may follow each other at once.
  static let roundMilliseconds = 10.0

  private let millisecondsPerMessage: Double
  /// The time from which on the next message is due.
  private var due = -Double.infinity

  /// Makes a pace.
  ///
  /// - Parameter perSecond: The most messages in a second; nil for no limit but that of the cable.
  init(perSecond: Int?) {
    millisecondsPerMessage = perSecond.map { 1_000 / Double(max(1, $0)) } ?? 0
  }

  /// Whether a message may be sent in the round at this time.
  func allows(at milliseconds: Double) -> Bool { due < milliseconds + Self.roundMilliseconds }

  /// Takes note of messages that were sent.
  mutating func sent(_ count: Int, at milliseconds: Double) {
    due = max(due, milliseconds) + Double(count) * millisecondsPerMessage
  }
}
