// SPDX-License-Identifier: MIT

import ControlProtocol
import JACK
import Patchbay
import Sessions
import TestSupport
import Testing

@testable import Host

/// Captures that need a permission (PRM-1 to PRM-4), on a scripted server.
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

  @Test func `the user's answer counts more than the graph's`() async throws {
    let bench = try CaptureBench()
    await bench.capture("bad")
    await bench.answer("bad", .granted)
    #expect(bench.gates.gates.map(\.isOpen) == [true])
    await bench.answer("good", .denied)
    await bench.capture("good")
    #expect(!bench.isDirect("good"))
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

  @Test func `permissions are of the executable, whatever its client is called`() async throws {
    let bench = try CaptureBench()
    await bench.act { $0.executables["rec"] = "/usr/bin/good" }
    await bench.capture("rec")
    #expect(bench.isDirect("rec"))
  }

  @Test func `an answer for a client's name is one for its program`() async throws {
    let bench = try CaptureBench()
    await bench.act { $0.executables["rec"] = "/usr/bin/recorder" }
    await bench.capture("rec")
    await bench.answer("rec", .granted)
    #expect(bench.answers.ofUser == ["/usr/bin/recorder": .granted])
  }

  @Test func `PRM-2 a name of the list comes before a client's name`() async throws {
    let bench = try CaptureBench()
    await bench.act {
      $0.executables["rec"] = "/usr/bin/recorder"
      $0.executables["bad"] = "/usr/bin/rec"
    }
    await bench.capture("rec")
    await bench.capture("bad")
    // `rec` is a client of one program and the name of another, which the list shows.
    await bench.answer("rec", .granted)
    #expect(bench.answers.ofUser == ["/usr/bin/rec": .granted])
    #expect(bench.gates.gates.filter(\.isOpen).map(\.client) == ["bad"])
  }

  @Test func `PRM-2 a name of two programs is refused with both`() async throws {
    let bench = try CaptureBench()
    await bench.act {
      $0.executables["rec"] = "/usr/bin/sox"
      $0.executables["bad"] = "/tmp/sox"
    }
    await bench.capture("rec")
    await bench.capture("bad")
    await bench.act { bench in
      let error = #expect(throws: ControlError.self) {
        try bench.room.setPermission(.init(program: "sox", permission: .granted))
      }
      #expect(error?.message.contains("/tmp/sox, /usr/bin/sox") == true)
    }
    await bench.answer("/usr/bin/sox", .granted)
    #expect(bench.gates.gates.filter(\.isOpen).map(\.client) == ["rec"])
  }

  @Test func `PRM-2 a copy of a program elsewhere inherits nothing`() async throws {
    let bench = try CaptureBench()
    await bench.act { $0.executables["rec"] = "/tmp/good" }
    await bench.capture("rec")
    #expect(bench.gates.gates.map(\.isOpen) == [false])
    #expect(bench.events.contains { $0.message.contains("may 'good' (/tmp/good) record?") })
    await bench.capture("good")
    #expect(bench.isDirect("good"))
  }

  @Test func `PRM-2 a client that cannot be identified is asked about as such`() async throws {
    let bench = try CaptureBench()
    await bench.act { $0.executables["good"] = nil }
    await bench.capture("good")
    #expect(bench.gates.gates.map(\.isOpen) == [false])
    let question = try #require(bench.events.first { $0.kind == .permission })
    #expect(question.message.contains("the client 'good', whose program cannot be identified"))
    await bench.answer("client:good", .granted)
    #expect(bench.gates.gates.map(\.isOpen) == [true])
    #expect(bench.answers.ofUser == ["client:good": .granted])
    // The program of that name has the graph's answer, and not this one.
    let list = bench.room.listPermissions().programs
    #expect(list.first { $0.program == "good" }?.source == .graph)
  }

  @Test func `PRM-2 the next client of a name inherits nothing from the one before`() async throws {
    let bench = try CaptureBench()
    await bench.capture("rec")
    await bench.answer("rec", .granted)
    #expect(bench.gates.gates.map(\.isOpen) == [true])
    await bench.act {
      $0.room.clientGone("rec")
      $0.executables["rec"] = "/tmp/other"
    }
    #expect(bench.gates.gates.isEmpty)
    await bench.capture("rec")
    #expect(bench.gates.gates.map(\.isOpen) == [false])
  }

  @Test func `PRM-2 a kept yes for a bare name is for the program that a shell starts by it`()
    async throws
  {
    let bench = try CaptureBench()
    await bench.act {
      $0.answers.ofUser = ["rec": .granted, "tool": .denied]
      $0.executables["bad"] = "/tmp/rec"
      $0.executables["good"] = "/tmp/tool"
    }
    for client in ["rec", "bad", "good"] { await bench.capture(client) }
    #expect(bench.isDirect("rec"))
    #expect(bench.gates.gates.filter { !$0.isOpen }.map(\.client) == ["bad", "good"])
    // An answer for a path replaces it.
    await bench.answer("/tmp/rec", .denied)
    #expect(bench.answers.ofUser == ["/tmp/rec": .denied, "tool": .denied])
  }

  @Test func `PRM-2 a program cannot answer for its user`() async throws {
    let bench = try CaptureBench()
    await bench.capture("rec")
    await bench.act { bench in
      bench.processes[7] = "/usr/bin/rec"
      // Its own process, and another one of the same program.
      for process: Int32 in [1, 7] {
        let error = #expect(throws: ControlError.self) {
          try bench.room.setPermission(
            .init(program: "rec", permission: .granted),
            from: process
          )
        }
        #expect(error?.code == .refused)
      }
      _ = try? bench.room.setPermission(.init(program: "rec", permission: .granted), from: 8)
    }
    #expect(bench.gates.gates.map(\.isOpen) == [true])
  }

  @Test func `PRM-3 an output that carries a microphone needs the same yes`() async throws {
    let bench = try CaptureBench()
    await bench.act {
      $0.mix = ["house:main_out_1": "system:capture_1", "house:cue_out_1": "mpv:out_1"]
    }
    await bench.capture("rec", from: "house:main_out_1")
    #expect(!bench.isDirect("rec", to: "house:main_out_1"))
    #expect(bench.kinds.count { $0 == "permission" } == 1)
    #expect(bench.events.contains { $0.message.hasPrefix("PRM-3 house:main_out_1") })
    let entry = bench.room.listPermissions().programs.first { $0.program == "rec" }
    #expect(entry?.clients == ["rec"])
    await bench.capture("rec", from: "house:cue_out_1")
    await bench.capture("good", from: "house:main_out_1")
    #expect(bench.isDirect("rec", to: "house:cue_out_1"))
    #expect(bench.isDirect("good", to: "house:main_out_1"))

    await bench.answer("rec", .granted)
    #expect(bench.isDirect("rec", to: "house:main_out_1"))
    await bench.answer("rec", .denied)
    #expect(!bench.isDirect("rec", to: "house:main_out_1"))
  }

  @Test func `PRM-3 a program that hears a microphone passes it on`() async throws {
    let bench = try CaptureBench()
    await bench.act { $0.mix = ["house:main_out_1": "good:out_1"] }
    await bench.capture("rec", from: "house:main_out_1")
    #expect(bench.isDirect("rec", to: "house:main_out_1"))
    await bench.capture("good")
    // The outputs are looked at again after every change of the patch.
    await bench.act { $0.room.enforceOutputs() }
    #expect(!bench.isDirect("rec", to: "house:main_out_1"))
    await bench.act {
      $0.mix = [:]
      $0.room.settle()
    }
    #expect(bench.isDirect("rec", to: "house:main_out_1"))
  }

  @Test func `PRM-3 without permissions in the graph only denied programs lose outputs`()
    async throws
  {
    let bench = try CaptureBench(permissions: "")
    await bench.act { $0.mix = ["house:main_out_1": "system:capture_1"] }
    await bench.capture("rec", from: "house:main_out_1")
    #expect(bench.isDirect("rec", to: "house:main_out_1"))
    await bench.answer("rec", .denied)
    await bench.answer("/usr/bin/rec", .denied)
    #expect(!bench.isDirect("rec", to: "house:main_out_1"))
  }

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

  @Test func `PRM-1 a new program is cut before its process is looked for`() async throws {
    let bench = try CaptureBench()
    await bench.act { bench in
      bench.whenAsked = { bench.wasDirectWhenAsked = bench.isDirect("rec") }
    }
    await bench.capture("rec")
    #expect(bench.wasDirectWhenAsked == false)
    await bench.capture("good")
    // It may record: its connection is made again.
    #expect(bench.isDirect("good"))
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

  @Test func `the list names who has answered`() async throws {
    let bench = try CaptureBench()
    await bench.capture("rec")
    await bench.answer("tool", .granted)
    let list = bench.room.listPermissions().programs
    #expect(list.map(\.program) == ["bad", "good", "rec", "tool"])
    #expect(list.map(\.source) == [.graph, .graph, .standard, .user])
    #expect(list.first { $0.program == "rec" }?.clients == ["rec"])
  }

  @Test func `silence is explained with its remedy`() async throws {
    let bench = try CaptureBench()
    await bench.capture("bad")
    let why = bench.room.explanations(of: "bad")
    #expect(why.map(\.sentence) == ["bad records silence: 'bad' may not record."])
    #expect(why.first?.remedy?.contains("multiroute permission grant bad") == true)
  }
}
