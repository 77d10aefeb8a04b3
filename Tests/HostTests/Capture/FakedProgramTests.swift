// SPDX-License-Identifier: MIT

import ControlProtocol
import JACK
import Patchbay
import Sessions
import SystemSupport
import TestSupport
import Testing

@testable import Host

/// Programs that pretend to be others (PRM-2), on a scripted server.
struct FakedProgramTests {
  private static let own = "/home/user/rec"

  /// A bench on which `rec` runs a file that its user can write.
  private func bench(permissions: String = "{}") throws -> CaptureBench {
    let bench = try CaptureBench(permissions: permissions)
    bench.executables["rec"] = Self.own
    return bench
  }

  /// Ends a client and starts it again, at present files.
  private func restart(_ client: String, on bench: CaptureBench) async {
    await bench.act {
      $0.links = $0.links.filter { $0.destination != "\(client):in" }
      $0.room.clientGone(client)
    }
    await bench.capture(client)
  }

  // MARK: - Names

  @Test(arguments: ["/usr/bin/good", "good", "rec"])
  func `PRM-2 a client's name never is that of a granted program`(_ name: String) async throws {
    let bench = try CaptureBench(permissions: "{granted: [/usr/bin/good, good]}")
    await bench.act {
      $0.answers.ofUser = ["/usr/bin/rec": .granted]
      $0.executables[name] = nil
      $0.ports.insert(Ports.input("\(name):in"))
    }
    await bench.capture(name)
    #expect(bench.gates.gates.map(\.isOpen) == [false])
    #expect(bench.room.listPermissions().programs.contains { $0.program == "client:\(name)" })
    // Its own answer is for nobody else.
    await bench.answer("client:\(name)", .granted)
    #expect(bench.gates.gates.map(\.isOpen) == [true])
    #expect(bench.answers.ofUser["client:\(name)"] == .granted)
  }

  @Test func `PRM-2 a file that is named like a client's key is known by its path`() async throws {
    let bench = try CaptureBench(permissions: "{}")
    await bench.act {
      $0.answers.ofUser = ["client:good": .granted]
      $0.executables["rec"] = "/tmp/client:good"
    }
    await bench.capture("rec")
    #expect(bench.gates.gates.map(\.isOpen) == [false])
    #expect(bench.room.listPermissions().programs.map(\.program).contains("/tmp/client:good"))
  }

  @Test func `PRM-2 a name by which a shell starts another program is refused with both paths`()
    async throws
  {
    let bench = try bench()
    await bench.capture("rec")
    await bench.act { bench in
      let error = #expect(throws: ControlError.self) {
        try bench.room.setPermission(.init(program: "rec", permission: .granted))
      }
      #expect(error?.message.contains("/home/user/rec, /usr/bin/rec") == true)
    }
    #expect(bench.answers.ofUser.isEmpty)
  }

  @Test(arguments: ["/opt/multiroute-none/rec", "true"])
  func `PRM-2 an answer for a program is none for an adopted client that is named like it`(
    _ name: String
  ) async throws {
    let graph = """
      multiroute: 1
      name: house
      session: {category: multiRoute, options: [mixWithOthers]}
      permissions: {}
      routes:
        main: {type: lineOut, ports: [system:playback_1]}
      sources: {}
      mix: []
      adopt:
        - {session: {category: playAndRecord}}
      """
    try await House.with(graph) { house in
      await house.play { $0.appear(name, outputs: ["out"]) }
      #expect(await house.status.sessions.contains { $0.app == name })
      try await house.call("setPermission", #"{"program":"\#(name)","permission":"granted"}"#)
      let permissions = await house.host.run { $0.sessions.state.permissions }
      #expect(permissions == [name: .granted])
    }
  }

  // MARK: - Programs that hide

  @Test(arguments: ["{}", "{default: granted}", "{granted: [good, /usr/bin/good]}"])
  func `PRM-2 a process that hides its program needs an answer of its own`(
    _ permissions: String
  ) async throws {
    let bench = try CaptureBench(permissions: permissions)
    await bench.act { $0.hidden = ["good"] }
    await bench.capture("good")
    #expect(bench.gates.gates.map(\.isOpen) == [false])
    await bench.answer("good", .granted)
    await bench.answer("client:good", .granted)
    #expect(bench.gates.gates.map(\.isOpen) == [true])
  }

  // MARK: - Files

  @Test func `PRM-2 another file at a path that its user can write is asked about again`()
    async throws
  {
    let bench = try bench()
    await bench.capture("rec")
    await bench.answer(Self.own, .granted)
    #expect(bench.gates.gates.map(\.isOpen) == [true])
    await bench.act { $0.replacements[Self.own] = 1 }
    // The process still runs the file that the answer was for.
    await bench.act { $0.room.settle() }
    #expect(bench.gates.gates.map(\.isOpen) == [true])
    await restart("rec", on: bench)
    #expect(bench.gates.gates.map(\.isOpen) == [false])
    #expect(bench.events.contains { $0.message.contains("Its file has changed since your answer") })
    await bench.answer(Self.own, .granted)
    #expect(bench.gates.gates.map(\.isOpen) == [true])
    #expect(bench.room.answeredFiles == [Self.own: bench.file(at: Self.own)])
  }

  @Test func `PRM-2 an upgrade of a program where only root can write keeps its answer`()
    async throws
  {
    let bench = try CaptureBench(permissions: "{}")
    await bench.capture("rec")
    await bench.answer("/usr/bin/rec", .granted)
    let old = bench.file(at: "/usr/bin/rec")
    #expect(bench.room.answeredFiles == ["/usr/bin/rec": old])
    await bench.act { $0.replacements["/usr/bin/rec"] = 1 }
    await restart("rec", on: bench)
    #expect(bench.isDirect("rec"))
    #expect(bench.room.answeredFiles == ["/usr/bin/rec": bench.file(at: "/usr/bin/rec")])
    // One that still runs the file from before the upgrade.
    await bench.act { $0.running["rec"] = old }
    await restart("rec", on: bench)
    #expect(bench.isDirect("rec"))
  }

  @Test(arguments: ["{granted: [good]}", "{granted: [/usr/bin/good]}"])
  func `PRM-2 a file that only shows the path of a granted one inherits nothing`(
    _ permissions: String
  ) async throws {
    let bench = try CaptureBench(permissions: permissions)
    // As in a mount namespace of its own.
    let fake = FileIdentity(device: 9, inode: 9, changedNanoseconds: 9)
    await bench.act { $0.running["good"] = fake }
    await bench.capture("good")
    #expect(bench.gates.gates.map(\.isOpen) == [false])
    await bench.act { $0.running["good"] = nil }
    await restart("good", on: bench)
    #expect(bench.isDirect("good"))
  }

  @Test func `PRM-2 an answer of an earlier release learns the file that it meets first`()
    async throws
  {
    let bench = try bench()
    await bench.act { $0.answers.ofUser = [Self.own: .granted] }
    await bench.capture("rec")
    #expect(bench.isDirect("rec"))
    #expect(bench.room.answeredFiles == [Self.own: bench.file(at: Self.own)])
    await bench.act { $0.replacements[Self.own] = 1 }
    await restart("rec", on: bench)
    #expect(bench.gates.gates.map(\.isOpen) == [false])
  }

  @Test func `PRM-2 the files of answers outlive the host, and a no has none`() async throws {
    let first = try bench()
    await first.capture("rec")
    await first.answer(Self.own, .granted)
    let files = first.room.answeredFiles
    let next = try bench()
    await next.act {
      $0.answers.ofUser = [Self.own: .granted]
      $0.replacements[Self.own] = 1
      $0.room.restore(answeredFiles: files)
    }
    await next.capture("rec")
    #expect(next.gates.gates.map(\.isOpen) == [false])
    await next.answer(Self.own, .denied)
    #expect(next.room.answeredFiles.isEmpty)
  }

  @Test func `a state file keeps the files of answers, and one without them is read`() throws {
    let scratch = try MachineTree([
      "permissions.json": #"{"multiroutePermissions":1,"permissions":{"/usr/bin/rec":"granted"}}"#
    ])
    let machine = scratch.machine()
    defer { withExtendedLifetime(machine) {} }
    let file = StateFile(directory: machine.root)
    let found = file.load()
    #expect(found.faults.isEmpty)
    var state = try #require(found.state)
    #expect(state.permissions == ["/usr/bin/rec": .granted] && state.answeredFiles.isEmpty)
    let identity = FileIdentity(device: 3, inode: .max, changedNanoseconds: -5)
    state.answeredFiles = ["/usr/bin/rec": identity]
    try file.save(state, replacing: found.state)
    #expect(file.load().state == state)
  }
}
