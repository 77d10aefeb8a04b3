// SPDX-License-Identifier: MIT

import Testing

@testable import ControlSocket

/// Work that other threads do, the time that it may take, and the lines about it in the log.
@Suite struct SlotsTests {
  @Test func aFewAtATimeAndTheSmallestDebtFirst() {
    let slots = Slots(limit: 2) { 0 }
    var begun: [String] = []
    let flood = ConnectionAccount(of: ProcessAccount(limits: .init(), nowNanoseconds: 0))
    let good = ConnectionAccount(of: ProcessAccount(limits: .init(), nowNanoseconds: 0))
    flood.charge(1000, nowNanoseconds: 0)
    for number in 1...4 { slots.add(flood) { begun.append("flood \(number)") } }
    slots.add(good) { begun.append("good") }
    #expect(begun == ["flood 1", "flood 2"])
    slots.free()
    #expect(begun.last == "good")
    for _ in 0..<4 { slots.free() }
    #expect(begun.suffix(2) == ["flood 3", "flood 4"])
  }

  @Test func aProcessWaitsWhenItsRequestsTakeMoreThanTheirShare() {
    var limits = ControlServerConfiguration.Limits()
    limits.handlingShare = 0.25
    limits.handlingBurstSeconds = 1
    let process = ProcessAccount(limits: limits, nowNanoseconds: 0)
    process.chargeHandling(1_000_000_000, nowNanoseconds: 0)
    #expect(process.handlingWait(nowNanoseconds: 0) == 0)
    // 10 ms more than the burst, paid with 40 ms at a quarter.
    process.chargeHandling(10_000_000, nowNanoseconds: 0)
    #expect(process.handlingWait(nowNanoseconds: 0) == 40_000_000)
    #expect(process.handlingWait(nowNanoseconds: 39_000_000) == 1_000_000)
    #expect(process.handlingWait(nowNanoseconds: 40_000_000) == 0)
    #expect(!process.isOver(nowNanoseconds: 39_000_000))
    #expect(process.isOver(nowNanoseconds: 40_000_000))
    process.connections = 1
    #expect(!process.isOver(nowNanoseconds: 40_000_000))
  }

  @Test func aProcessConnectsAndIsToldOfRefusalsAtARate() {
    var limits = ControlServerConfiguration.Limits()
    limits.connectionsPerProcess = 3
    limits.newConnectionsPerSecond = 10
    let process = ProcessAccount(limits: limits, nowNanoseconds: 0)
    let connected = (0..<1000).count { _ in process.mayConnect(nowNanoseconds: 0) }
    #expect(connected == 3)
    // Refused attempts make no debt.
    #expect(!process.mayConnect(nowNanoseconds: 99_000_000))
    #expect(process.mayConnect(nowNanoseconds: 101_000_000))
    let told = (0..<1000).count { _ in process.mayBeTold(nowNanoseconds: 0) }
    #expect(told == 64)
  }

  @Test func blankAndUnreadableLinesCostAMessageAndLongOnesMore() {
    var limits = ControlServerConfiguration.Limits()
    limits.messagesPerSecond = 1000
    limits.messageBurst = 2
    var inbox = Inbox(limits: limits, nowNanoseconds: 0)
    #expect(inbox.pay(messages: 1, bytes: 0, nowNanoseconds: 0) == 0)
    #expect(inbox.pay(messages: 1, bytes: 1023, nowNanoseconds: 0) == 0)
    #expect(inbox.pay(messages: 1, bytes: 9 << 10, nowNanoseconds: 0) == 10_000_000)
  }

  @Test func theLogHasTheFirstLineAndThenOneASecondWithTheCount() {
    var gate = LogGate()
    #expect(gate.pass(nowNanoseconds: 0) == 1)
    for time in 1...999 { #expect(gate.pass(nowNanoseconds: UInt64(time) * 1_000_000) == nil) }
    #expect(gate.pass(nowNanoseconds: 1_000_000_000) == 1000)
    #expect(gate.pass(nowNanoseconds: 1_000_000_001) == nil)
    #expect(gate.pass(nowNanoseconds: 5_000_000_000) == 2)
  }
}
