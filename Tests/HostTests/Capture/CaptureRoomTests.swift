// SPDX-License-Identifier: MIT

import ControlProtocol
import JACK
import Patchbay
import Sessions
import TestSupport
import Testing

@testable import Host

/// Capture gates (PRM-1), on a scripted server.
struct CaptureRoomTests {
  @Test func `PRM-1 a program without an answer hears silence, and the user is asked once`()
    async throws
  {
    let bench = try CaptureBench()
    await bench.capture("rec")
    await bench.capture("rec")
    #expect(!bench.isDirect("rec"))
    #expect(bench.gates.gates.map(\.isOpen) == [false])
    #expect(bench.kinds.count { $0 == "permission" } == 1)
  }

  @Test func `a gate stands between the capture and its program`() async throws {
    let bench = try CaptureBench()
    await bench.capture("rec")
    #expect(
      bench.gates.links == [
        "system:capture_1 house-gates:rec_1_in", "house-gates:rec_1 rec:in",
      ]
    )
  }

  @Test func `a program with permission and without a session hears captures directly`()
    async throws
  {
    let bench = try CaptureBench()
    await bench.capture("good")
    #expect(bench.isDirect("good"))
    #expect(bench.gates.gates.isEmpty)
  }

  @Test func `an answer opens a gate, and taking it back closes it`() async throws {
    let bench = try CaptureBench()
    await bench.capture("rec")
    await bench.answer("rec", .granted)
    #expect(bench.gates.gates.map(\.isOpen) == [true])
    await bench.answer("rec", .undetermined)
    #expect(bench.gates.gates.map(\.isOpen) == [false])
    #expect(bench.room.closedGates.map(\.client) == ["rec"])
  }

  @Test func `a gate of a program that has permission stays`() async throws {
    let bench = try CaptureBench()
    await bench.capture("rec")
    await bench.answer("rec", .granted)
    await bench.capture("rec")
    #expect(!bench.isDirect("rec"))
    #expect(bench.gates.gates.count == 1)
  }

  @Test func `a session that does not record closes the gate of its client`() async throws {
    let bench = try CaptureBench()
    await bench.act { $0.sessions["good"] = true }
    await bench.capture("good")
    #expect(bench.gates.gates.map(\.isOpen) == [true])
    await bench.act {
      $0.sessions["good"] = false
      $0.room.settle()
    }
    #expect(bench.gates.gates.map(\.isOpen) == [false])
  }

  @Test func `the host's own links and clients are never gated`() async throws {
    let bench = try CaptureBench()
    await bench.act {
      $0.ownLinks = [ConnectionPair(source: "system:capture_1", destination: "rec:in")]
    }
    await bench.capture("rec")
    await bench.capture("house")
    #expect(bench.gates.gates.isEmpty)
    #expect(bench.isDirect("rec"))
  }

  @Test func `only captures are gated, also those from an input route`() async throws {
    let bench = try CaptureBench()
    await bench.capture("rec", from: "mpv:out_1")
    #expect(bench.gates.gates.isEmpty)
    await bench.capture("rec", from: "loop:out_1")
    #expect(bench.gates.gates.map(\.source) == ["loop:out_1"])
  }

  @Test func `another program's gate gives no way to a capture`() async throws {
    let bench = try CaptureBench()
    await bench.capture("rec")
    await bench.answer("rec", .granted)
    await bench.capture("bad", from: "house-gates:rec_1")
    #expect(bench.gates.gates.map(\.client) == ["rec", "bad"])
    #expect(bench.gates.gates.map(\.isOpen) == [true, false])
  }

  @Test func `gates go with their client`() async throws {
    let bench = try CaptureBench()
    await bench.capture("rec")
    await bench.act {
      $0.ports.remove("rec:in")
      $0.room.review(clients: ["rec"])
    }
    #expect(bench.gates.gates.isEmpty)
    #expect(bench.programs.clients.isEmpty)
  }

  @Test func `without gates a program that may not record hears silence`() async throws {
    let bench = try CaptureBench()
    await bench.act { $0.hasNoGates = true }
    await bench.capture("rec")
    #expect(!bench.isDirect("rec"))
    #expect(bench.kinds.contains("error"))
    #expect(!bench.room.hasGates)
  }

  @Test func `captures that go on already are taken through gates at the attachment`() async throws
  {
    let bench = try CaptureBench()
    await bench.act { bench in
      bench.links.insert(ConnectionPair(source: "system:capture_1", destination: "rec:in"))
      bench.room.begin()
    }
    #expect(!bench.isDirect("rec"))
    await bench.act { $0.room.end() }
    #expect(bench.gates.isClosed)
  }

  @Test func `without permissions in the graph only denied programs are gated`() async throws {
    let bench = try CaptureBench(permissions: "")
    await bench.capture("rec")
    #expect(bench.isDirect("rec"))
    await bench.answer("rec", .denied)
    #expect(!bench.isDirect("rec"))
    #expect(bench.gates.gates.map(\.isOpen) == [false])
  }
}
