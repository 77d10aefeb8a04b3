// SPDX-License-Identifier: MIT

/// Lets a few pieces of work at a time be done on another thread.
///
/// The others wait here and not on that thread, so who has the smallest debt comes next. [server-loop]
final class Slots {
  private let limit: Int
  private let now: () -> UInt64
  private var taken = 0
  private var waiting = TurnQueue<() -> Void>()

  /// - Parameters:
  ///   - limit: The number of slots.
  ///   - now: The time of a steady clock in nanoseconds.
  init(limit: Int, now: @escaping () -> UInt64) {
    self.limit = limit
    self.now = now
  }

  /// Begins work as soon as there is a slot; whoever began it calls ``free()`` once.
  func add(_ account: ConnectionAccount, begin: @escaping () -> Void) {
    waiting.add(begin, of: account)
    fill()
  }

  /// Frees the slot of work that has ended.
  func free() {
    taken -= 1
    fill()
  }

  private func fill() {
    while taken < limit, let begin = waiting.popFirst(nowNanoseconds: now()) {
      taken += 1
      begin()
    }
  }
}
