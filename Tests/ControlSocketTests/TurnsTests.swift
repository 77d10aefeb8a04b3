// SPDX-License-Identifier: MIT

import Testing

@testable import ControlSocket

/// The order of turns, by a clock that is moved by hand.
@Suite struct TurnsTests {
  /// A clock, the turns that wait, and the pieces of work in their order.
  private final class Loop {
    var nanoseconds: UInt64 = 1_000_000_000
    var done: [String] = []
    private var waiting: [(Turns<Taker>.Delay, () -> Void)] = []

    /// Turns of 1 ms.
    private(set) lazy var turns = Turns<Taker>(
      budgetNanoseconds: 1_000_000,
      now: { self.nanoseconds },
      schedule: { self.waiting.append(($0, $1)) },
    )

    /// Carries out the next turn; returns its delay and its length, nil when there is none.
    func takeTurn() -> (delay: Turns<Taker>.Delay, nanoseconds: UInt64)? {
      guard !waiting.isEmpty else { return nil }
      let (delay, turn) = waiting.removeFirst()
      if case .nanoseconds(let time) = delay { nanoseconds += time }
      let start = nanoseconds
      turn()
      #expect(waiting.count <= 1)
      return (delay, nanoseconds - start)
    }
  }

  /// One with some pieces of work of one length.
  private final class Taker: TurnTaker {
    var waitsForTurn = false
    let account: ConnectionAccount
    private let name: String
    private let loop: Loop
    private var steps: Int
    private let length: UInt64
    private let later: UInt64

    init(
      _ name: String,
      on loop: Loop,
      of process: ProcessAccount = TurnsTests.account(),
      steps: Int,
      length: UInt64 = 100_000,
      later: UInt64 = 0,
    ) {
      self.name = name
      self.loop = loop
      account = ConnectionAccount(of: process)
      self.steps = steps
      self.length = length
      self.later = later
    }

    func takeStep() -> TurnStep {
      loop.nanoseconds += length
      loop.done.append(name)
      steps -= 1
      return TurnStep(hasMore: steps > 0, laterNanoseconds: later)
    }
  }

  private static func account() -> ProcessAccount {
    ProcessAccount(limits: .init(), nowNanoseconds: 0)
  }

  @Test func aTurnIsNoLongerThanItsBudgetAndOnePieceOfWork() throws {
    let loop = Loop()
    for name in 0..<64 {
      loop.turns.add(Taker("\(name)", on: loop, steps: 10, length: 300_000))
    }
    #expect(try #require(loop.takeTurn()).delay == .soon)
    var turns = 1
    while let turn = loop.takeTurn() {
      #expect(turn.delay == .nanoseconds(500_000))
      #expect(turn.nanoseconds <= 1_000_000 + 300_000)
      turns += 1
    }
    #expect(loop.done.count == 640)
    // 192 ms of work.
    #expect(turns <= 193)
  }

  @Test func whatIsCausedAfterTheTurnCountsToo() throws {
    let loop = Loop()
    for name in 0..<200 {
      loop.turns.add(Taker("\(name)", on: loop, steps: 1, length: 0, later: 20_000))
    }
    _ = loop.takeTurn()
    #expect(loop.done.count == 50)
  }

  @Test func aTurnDoesNotBeginSoonerBecauseSomebodyComes() throws {
    let loop = Loop()
    loop.turns.add(Taker("flood", on: loop, steps: 100))
    _ = loop.takeTurn()
    // An answer, a moment later.
    loop.turns.add(Taker("newcomer", on: loop, steps: 1))
    #expect(try #require(loop.takeTurn()).delay == .nanoseconds(500_000))
    #expect(loop.done[10] == "newcomer")
  }

  @Test func aBudgetThatIsUsedInPiecesIsUsed() throws {
    let loop = Loop()
    // Answers that come one after the other, without a pause between them.
    for name in 0..<11 {
      loop.turns.add(Taker("\(name)", on: loop, steps: 1))
      _ = loop.takeTurn()
    }
    #expect(loop.done.count == 10)
    #expect(try #require(loop.takeTurn()).delay == .nanoseconds(500_000))
    #expect(loop.done.count == 11)
  }

  @Test func whoComesIsNextAmong64ThatFlood() throws {
    let loop = Loop()
    let process = Self.account()
    for name in 0..<64 {
      loop.turns.add(Taker("flood \(name)", on: loop, of: process, steps: 1000, length: 50_000))
    }
    for _ in 0..<100 { _ = loop.takeTurn() }
    loop.done = []
    // Of the same process, so it is the connection that counts.
    loop.turns.add(Taker("sibling", on: loop, of: process, steps: 1))
    loop.turns.add(Taker("newcomer", on: loop, steps: 1))
    _ = loop.takeTurn()
    #expect(loop.done.prefix(2) == ["newcomer", "sibling"])
  }

  @Test func whoAsksNowAndThenIsAlwaysNext() throws {
    let loop = Loop()
    let process = Self.account()
    for name in 0..<64 {
      loop.turns.add(Taker("flood \(name)", on: loop, of: process, steps: 100_000, length: 20_000))
    }
    let good = Self.account()
    // Nobody has a debt at first.
    _ = loop.takeTurn()
    // 50 requests a second, 5 % of the time.
    var next = loop.nanoseconds
    var asked = 0
    while asked < 200 {
      if loop.nanoseconds >= next {
        next += 20_000_000
        asked += 1
        loop.done = []
        loop.turns.add(Taker("good", on: loop, of: good, steps: 1, length: 1_000_000))
        _ = loop.takeTurn()
        #expect(loop.done.first == "good", "request \(asked)")
      } else {
        _ = loop.takeTurn()
      }
    }
  }

  @Test func connectionsOfAProcessThatComeAndGoDoNotGetRidOfItsDebt() throws {
    let loop = Loop()
    let process = Self.account()
    for round in 0..<1000 {
      loop.turns.add(Taker("flood \(round)", on: loop, of: process, steps: 1))
      _ = loop.takeTurn()
    }
    loop.done = []
    loop.turns.add(Taker("flood, new", on: loop, of: process, steps: 1))
    loop.turns.add(Taker("good", on: loop, steps: 1))
    while loop.takeTurn() != nil {}
    #expect(loop.done == ["good", "flood, new"])
  }

  @Test func aDebtIsForgivenAfterASecond() {
    var account = TimeAccount(share: 0.1)
    account.charge(3_600_000_000_000, nowNanoseconds: 5)
    #expect(account.clear(nowNanoseconds: 5) == 1_000_000_005)
    #expect(account.clear(nowNanoseconds: 1_000_000_005) == 0)
    // A tenth of the time makes no debt that lasts.
    for round in UInt64(1)...100 {
      account.charge(1_000_000, nowNanoseconds: 2_000_000_000 + round * 10_000_000)
    }
    #expect(account.clear(nowNanoseconds: 3_010_000_001) == 0)
  }
}
