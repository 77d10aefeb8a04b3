// SPDX-License-Identifier: MIT

import Foundation
import Sessions
import TestSupport
import Testing

@Suite("Properties of the tower")
struct PropertyTests {
  /// The number of sequences of each of the eight rounds, a million together; `MULTIROUTE_TOWER_SEQUENCES` for fewer.
  static let sequencesPerSeed =
    ProcessInfo.processInfo.environment["MULTIROUTE_TOWER_SEQUENCES"].flatMap { Int($0) } ?? 125_000

  @Test("a million random sequences keep every invariant", arguments: 1...8)
  func randomSequences(round: Int) {
    var random = RandomEvents(seed: TestSeed.derived(number: round))
    for number in 0..<Self.sequencesPerSeed {
      let events = random.sequence(count: 2 + number % 13)
      if Checker().violation(events) != nil {
        Issue.record("\(Report(events))")
        return
      }
    }
  }

  @Test("long random sequences keep every invariant", arguments: 101...104)
  func longSequences(round: Int) {
    var random = RandomEvents(seed: TestSeed.derived(number: round))
    for number in 0..<Self.sequencesPerSeed * 2 / 125 {
      let events = random.sequence(count: 40 + number % 90)
      if Checker().violation(events) != nil {
        Issue.record("\(Report(events))")
        return
      }
    }
  }

  /// The kinds of decisions.
  private static let decisions: Set<String> = [
    "opened", "closed", "activated", "deactivated", "interrupted", "interruptionEnded",
    "resumed", "staysInactive", "ducked", "restored", "gateOpened", "gateClosed",
    "captureOpened", "captureClosed", "configured", "routed", "outputChosen", "pausedByUnplug",
    "unpaused",
    "queued", "refused", "commandHeld", "commandDelivered", "permissionAsked", "permission",
    "hardware", "hardwarePutBack", "hardwareGivenUp", "serverLost", "serverReset", "ignored",
    "call", "foregroundChanged", "letGo", "primaryAudio", "tookHold",
  ]

  @Test("random sequences come by every kind of decision")
  func coverage() {
    var random = RandomEvents(seed: TestSeed.derived())
    var seen: Set<String> = []
    var sequences = 0
    // The rarest comes once in some thousand sequences.
    while sequences < 4_000 || (sequences < 100_000 && !seen.isSuperset(of: Self.decisions)) {
      sequences += 1
      var tower = Tower(state: Checker.start)
      for event in random.sequence(count: 40) {
        for case .log(let decision) in tower.step(event) {
          seen.insert(String("\(decision.kind)".prefix { $0 != "(" }))
        }
      }
    }
    #expect(seen == Self.decisions)
  }

  /// A fault planted beside the tower, and the invariant that must catch it.
  struct Fault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let caughtAs: String
    /// One to eight were left of the sequences of 300 seeds.
    let mostEvents: Int
    let step: @Sendable (inout Tower, TowerEvent) -> [TowerEffect]
  }

  static let faults: [Fault] = [
    Fault(
      testDescription: "the phone is not noticed",
      caughtAs: "the higher class always wins",
      mostEvents: 8,
    ) { tower, event in
      if case .simulatedInterruptionBegan(class: .phone, _) = event.kind { return [] }
      return tower.step(event)
    },
    Fault(
      testDescription: "a death notifies no session",
      caughtAs: "the effects make the same picture as the state",
      mostEvents: 10,
    ) { tower, event in
      let effects = tower.step(event)
      guard case .sessionClosed(_, .died) = event.kind else { return effects }
      return effects.filter {
        if case .notify(_, .interruptionEnded) = $0 { false } else { true }
      }
    },
    Fault(
      testDescription: "a ducker that dies restores no session",
      caughtAs: "the effects make the same picture as the state",
      mostEvents: 10,
    ) { tower, event in
      let effects = tower.step(event)
      guard case .sessionClosed(_, .died) = event.kind else { return effects }
      return effects.filter { if case .setDuck = $0 { false } else { true } }
    },
    Fault(
      testDescription: "a refusal is answered twice",
      caughtAs: "each request is answered exactly once",
      mostEvents: 1,
    ) { tower, event in
      let effects = tower.step(event)
      return effects
        + effects.filter { if case .reply(_, .refused) = $0 { true } else { false } }
    },
    Fault(
      testDescription: "a gate stays shut after a call",
      caughtAs: "the effects make the same picture as the state",
      mostEvents: 10,
    ) { tower, event in
      if case .simulatedInterruptionEnded = event.kind {
        return tower.step(event).filter {
          if case .setGate(_, true, _) = $0 { false } else { true }
        }
      }
      return tower.step(event)
    },
  ]

  @Test("a planted fault is caught and shrunk to a few events", arguments: faults)
  func plantedFault(fault: Fault) throws {
    let checker = Checker(step: fault.step)
    var random = RandomEvents(seed: TestSeed.derived())
    var failing: [TowerEvent]?
    for _ in 0..<20_000 where failing == nil {
      let events = random.sequence(count: 40)
      if checker.violation(events) != nil { failing = events }
    }
    let short = checker.shrink(try #require(failing))
    #expect(checker.violation(short) == fault.caughtAs)
    #expect(short.count <= fault.mostEvents, "\(short.map { "\($0.kind)" })")
    #expect(Checker().violation(short) == nil)
  }

  /// The invariant and the shortest list of events, for a person who looks for the fault.
  struct Report: CustomStringConvertible {
    let description: String

    init(_ events: [TowerEvent]) {
      let short = Checker().shrink(events)
      let list = short.map { "\($0.timeNanoseconds) \($0.kind)" }.joined(separator: "\n")
      description = "\(Checker().violation(short) ?? "?") after\n\(list)"
    }
  }
}
