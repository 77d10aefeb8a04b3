// SPDX-License-Identifier: MIT

import ControlProtocol
import JACK
import Patchbay
import Sessions
import TestSupport
import Testing

@testable import Host

/// Programs that insist (PRM-4), on a scripted server.
struct CaptureAlarmTests {
  @Test func `PRM-4 a program that insists stays cut, and the user is told once`() async throws {
    let bench = try CaptureBench()
    for _ in 1...20 { await bench.capture("bad") }
    #expect(!bench.isDirect("bad"))
    #expect(bench.gates.gates.map(\.isOpen) == [false])
    #expect(bench.events.count { $0.message.hasPrefix("PRM-4 'bad'") } == 1)
    // The first connection, and two that are not yet insistence.
    #expect(bench.events.count { $0.message.hasPrefix("PRM-1 bad:in") } == 3)
  }

  @Test func `PRM-4 many captures of one program are no insistence`() async throws {
    let bench = try CaptureBench()
    for number in 1...8 {
      await bench.act { $0.ports.insert(Ports.output("system:capture_\(number)", physical: true)) }
      await bench.capture("bad", from: "system:capture_\(number)")
    }
    #expect(bench.gates.gates.count == 8)
    #expect(!bench.events.contains { $0.message.hasPrefix("PRM-4") })
  }

  @Test func `PRM-4 an alarm is raised, and its connections are only cut from then on`()
    async throws
  {
    let bench = try CaptureBench()
    for _ in 1...4 { await bench.capture("bad") }
    let alarm = try #require(bench.alarms.last)
    #expect(alarm.rule == .prm1)
    #expect(alarm.executable == "/usr/bin/bad")
    #expect(alarm.attempts == 4)
    #expect(!alarm.over)
    let before = (bench.gates.links, bench.events.count, bench.changes)
    for _ in 1...100 { await bench.capture("bad") }
    #expect(!bench.isDirect("bad"))
    #expect(bench.gates.links == before.0)
    #expect(bench.events.count == before.1)
    #expect(bench.changes == before.2)
    #expect(bench.room.alarmStatuses.map(\.attempts) == [104])
  }

  @Test func `PRM-4 a permission ends the alarm, and the program hears its gate`() async throws {
    let bench = try CaptureBench()
    for _ in 1...5 { await bench.capture("bad") }
    // It has left its gate, which was not made anew.
    await bench.act {
      $0.room.disconnected(ConnectionPair(source: "house-gates:bad_1", destination: "bad:in"))
    }
    await bench.capture("bad")
    let links = bench.gates.links.count
    await bench.answer("bad", .granted)
    #expect(bench.gates.links.dropFirst(links).last == "house-gates:bad_1 bad:in")
    #expect(bench.gates.gates.map(\.isOpen) == [true])
    #expect(bench.gates.approved == ["bad_1": 1])
    #expect(bench.alarms.last?.over == true)
    #expect(bench.room.alarmStatuses.isEmpty)
  }

  @Test func `PRM-4 a minute without an attempt ends the alarm`() async throws {
    let bench = try CaptureBench()
    for _ in 1...5 { await bench.capture("bad") }
    await bench.act { bench in
      bench.pass(nanoseconds: Insistence.quietNanoseconds)
      bench.room.look()
      #expect(!bench.room.alarmStatuses.isEmpty)
      bench.pass(nanoseconds: 1)
      bench.room.look()
    }
    #expect(bench.alarms.last?.over == true)
    #expect(bench.room.alarmStatuses.isEmpty)
    let told = bench.events.count
    await bench.capture("bad")
    #expect(!bench.isDirect("bad"))
    // It is reported again.
    #expect(bench.events.count > told)
  }

  @Test func `PRM-4 cuts are counted for a program, whatever its clients are called`() async throws
  {
    let bench = try CaptureBench()
    for number in 1...40 {
      await bench.act {
        $0.executables["bad-\(number)"] = "/usr/bin/bad"
        $0.ports.insert(Ports.input("bad-\(number):in"))
      }
      await bench.capture("bad-\(number)")
      await bench.act { $0.room.clientGone("bad-\(number)") }
    }
    #expect(bench.alarms.count == 1)
    #expect(bench.alarms.first?.executable == "/usr/bin/bad")
    #expect(bench.room.alarmStatuses.map(\.attempts) == [40])
  }

  @Test func `PRM-4 an output that carries a microphone stays cut too, until it carries none`()
    async throws
  {
    let bench = try CaptureBench()
    await bench.act { $0.mix = ["house:main_out_1": "system:capture_1"] }
    for _ in 1...10 { await bench.capture("bad", from: "house:main_out_1") }
    #expect(!bench.isDirect("bad", to: "house:main_out_1"))
    #expect(bench.room.alarmStatuses.map(\.rule) == [.prm3])
    await bench.act {
      $0.mix = [:]
      $0.room.settle()
    }
    #expect(bench.isDirect("bad", to: "house:main_out_1"))
    await bench.capture("bad", from: "house:main_out_1")
    #expect(bench.isDirect("bad", to: "house:main_out_1"))
  }

  @Test func `PRM-4 a program with permission raises no alarm`() async throws {
    let bench = try CaptureBench()
    await bench.capture("rec")
    await bench.answer("rec", .granted)
    for _ in 1...10 { await bench.capture("rec") }
    #expect(bench.alarms.isEmpty)
    #expect(bench.gates.gates.map(\.isOpen) == [true])
  }
}
