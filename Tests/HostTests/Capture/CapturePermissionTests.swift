// SPDX-License-Identifier: MIT

import ControlProtocol
import JACK
import Patchbay
import Sessions
import TestSupport
import Testing

@testable import Host

/// The programs that answers count for (PRM-2), on a scripted server.
struct CapturePermissionTests {
  @Test func `the user's answer counts more than the graph's`() async throws {
    let bench = try CaptureBench()
    await bench.capture("bad")
    await bench.answer("bad", .granted)
    #expect(bench.gates.gates.map(\.isOpen) == [true])
    await bench.answer("good", .denied)
    await bench.capture("good")
    #expect(!bench.isDirect("good"))
  }

  @Test func `permissions are of the executable, whatever its client is called`() async throws {
    let bench = try CaptureBench()
    await bench.act { $0.executables["rec"] = "/usr/bin/good" }
    await bench.capture("rec")
    #expect(bench.isDirect("rec"))
  }

  @Test func `an answer for a client's name is one for its program`() async throws {
    let bench = try CaptureBench()
    await bench.act {
      $0.executables["rec"] = "/usr/bin/recorder"
      $0.notInstalled = ["rec"]
    }
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

  @Test func `the list names who has answered`() async throws {
    let bench = try CaptureBench()
    await bench.capture("rec")
    await bench.answer("tool", .granted)
    let list = bench.room.listPermissions().programs
    #expect(list.map(\.program) == ["bad", "good", "rec", "tool"])
    #expect(list.map(\.source) == [.graph, .graph, .standard, .user])
    #expect(list.first { $0.program == "rec" }?.clients == ["rec"])
  }
}
