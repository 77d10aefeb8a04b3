// SPDX-License-Identifier: MIT

/// One that takes turns on the server's loop. [server-loop]
protocol TurnTaker: AnyObject {
  /// Whether it waits for its turn; ``Turns`` sets it.
  var waitsForTurn: Bool { get set }
  /// The account that its work is charged to.
  var account: ConnectionAccount { get }
  /// Does one small piece of work.
  func takeStep() -> TurnStep
}

/// The result of a piece of work.
///
/// Pure value: [any-thread].
struct TurnStep {
  /// Whether there is more to do at once.
  var hasMore: Bool
  /// The time that it is going to cost the loop after the turn.
  var laterNanoseconds: UInt64 = 0
}

/// Gives all connections turns on the server's loop.
///
/// One turn has one budget of time for all that have something to do, so reading, answers, timers and newcomers
/// never wait for longer than that and one piece of work. When a turn has used the budget there is a pause of half of
/// it, for the rest of the loop and for other threads of the machine. [server-loop]
final class Turns<Member: TurnTaker> {
  /// When the next turn begins.
  enum Delay: Equatable {
    /// After what the loop is doing now.
    case soon
    /// After this time, in which the loop does other things.
    case nanoseconds(UInt64)
  }

  private let budgetNanoseconds: UInt64
  private let now: () -> UInt64
  private let schedule: (Delay, @escaping () -> Void) -> Void
  private var queue = TurnQueue<Member>()
  private var isScheduled = false
  /// The used part of the budget, and when that was so.
  private var usedNanoseconds: UInt64 = 0
  private var updatedNanoseconds: UInt64 = 0

  /// - Parameters:
  ///   - budgetNanoseconds: The time of one turn.
  ///   - now: The time of a steady clock in nanoseconds.
  ///   - schedule: Runs a closure after a delay.
  init(
    budgetNanoseconds: UInt64,
    now: @escaping () -> UInt64,
    schedule: @escaping (Delay, @escaping () -> Void) -> Void,
  ) {
    self.budgetNanoseconds = budgetNanoseconds
    self.now = now
    self.schedule = schedule
  }

  /// Lets a member take its turn, unless it waits for one already.
  func add(_ member: Member) {
    guard !member.waitsForTurn else { return }
    enqueue(member)
    guard !isScheduled else { return }
    scheduleTurn(.soon)
  }

  private func enqueue(_ member: Member) {
    member.waitsForTurn = true
    queue.add(member, of: member.account)
  }

  private func scheduleTurn(_ delay: Delay) {
    isScheduled = true
    schedule(delay) { self.takeTurn() }
  }

  private func takeTurn() {
    isScheduled = false
    var time = now()
    // A pause of half of the budget pays for all of it.
    let paid = 2 * (time - updatedNanoseconds)
    usedNanoseconds -= min(usedNanoseconds, paid)
    while usedNanoseconds < budgetNanoseconds,
      let member = queue.popFirst(nowNanoseconds: time)
    {
      member.waitsForTurn = false
      let step = member.takeStep()
      let end = now()
      let used = end - time + step.laterNanoseconds
      member.account.charge(used, nowNanoseconds: end)
      if step.hasMore, !member.waitsForTurn { enqueue(member) }
      usedNanoseconds += used
      time = end
    }
    updatedNanoseconds = time
    if !queue.isEmpty { scheduleTurn(.nanoseconds(budgetNanoseconds / 2)) }
  }
}
