// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import Glibc
import OSC
import TestSupport
import Testing

/// `multiroute run` and `multiroute node run` as clients of a scripted session manager.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct SessionManagerTests {
  private static let graph = """
    multiroute: 1
    name: own-name
    session: {category: multiRoute, options: [mixWithOthers]}
    permissions: {default: granted}
    routes:
      main: {type: lineOut, ports: [system:playback_1], inserts: [delay]}
    sources:
      deck: {tone: {frequency: 480 Hz, level: -20 dB}}
    mix:
      - {from: deck, to: main}
    """

  private static func host(_ words: String..., on server: TestServer) -> [String] {
    ["run"] + words + ["--server", server.name, "--no-start-server", "--duration", "100s"]
  }

  private static func gain(_ host: String, in scratch: Scratch) async throws -> String {
    let output = try await Multiroute.run(
      "get",
      "/route/main/gain",
      "--host",
      host,
      in: scratch,
    )
    #expect(output.end == .code(0), "\(output.standardError)")
    return output.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func setGain(
    _ gain: String,
    _ host: String,
    in scratch: Scratch,
  ) async throws {
    let output = try await Multiroute.run(
      "set",
      "/route/main/gain",
      gain,
      "--host",
      host,
      in: scratch,
    )
    #expect(output.end == .code(0), "\(output.standardError)")
  }

  // MARK: - Projects

  @Test(.jackServer())
  func `NSM-31 NSM-60 a new project gets a graph; what is saved survives kill -9`() async throws {
    let (scratch, manager, server) = (try Scratch(), try SessionManager(), try testServer())
    let words = Self.host(on: server)
    let (path, id) = (scratch.path + "/Song/MultiRoute.nABCD", "MultiRoute.nABCD")
    let first = try await ManagedProgram.opened(path, as: id, words, manager: manager, in: scratch)
    #expect(first.answer == 0, "\(first.program.child.standardError)")
    #expect(first.program.announcedName == "MultiRoute")
    #expect(try await manager.next("/nsm/client/label").values == [.text("graph.yaml")])
    #expect(manager.count(of: "/nsm/client/progress") >= 2)
    try await Self.setGain("-6.5dB", id, in: scratch)
    _ = try await manager.next("/nsm/client/is_dirty")
    _ = try await manager.next("/nsm/client/is_clean")
    try await Self.setGain("-7.5dB", id, in: scratch)
    #expect(try await first.program.save() == 0)
    first.program.child.send(SIGKILL)
    #expect(try await first.program.child.waitForEnd() == .signal(SIGKILL))

    let again = try await ManagedProgram.opened(path, as: id, words, manager: manager, in: scratch)
    #expect(again.answer == 0, "\(again.program.child.standardError)")
    #expect(try await Self.gain(id, in: scratch) == "-7.5")
    #expect(try await again.program.end() == .code(0))
    let files = try FileManager.default.contentsOfDirectory(atPath: path)
    #expect(Set(files) == ["graph.yaml", "state"])
    #expect(!FileManager.default.fileExists(atPath: scratch.stateDirectory))
  }

  @Test(.jackServer())
  func `NSM-31 two projects with one id do not mix`() async throws {
    let (scratch, manager, server) = (try Scratch(), try SessionManager(), try testServer())
    let words = Self.host(on: server)
    for gain in ["-3", "-9"] {
      let path = "\(scratch.path)/song\(gain)"
      let host = try await ManagedProgram.opened(
        path,
        as: "MR",
        words,
        manager: manager,
        in: scratch,
      )
      #expect(host.answer == 0, "\(host.program.child.standardError)")
      #expect(try await Self.gain("MR", in: scratch) == "0")
      try await Self.setGain("\(gain)dB", "MR", in: scratch)
      #expect(try await host.program.save() == 0)
      #expect(try await host.program.end() == .code(0))
    }
    for gain in ["-3", "-9"] {
      let path = "\(scratch.path)/song\(gain)"
      let host = try await ManagedProgram.opened(
        path,
        as: "MR",
        words,
        manager: manager,
        in: scratch,
      )
      #expect(try await Self.gain("MR", in: scratch) == gain)
      #expect(try await host.program.end() == .code(0))
    }
  }

  @Test(.jackServer())
  func `a named graph is played, and the project links to it`() async throws {
    let (scratch, manager, server) = (try Scratch(), try SessionManager(), try testServer())
    let graph = try scratch.write(Self.graph, to: "dj.yaml")
    let path = scratch.path + "/project"
    let words = Self.host(graph, on: server)
    let host = try await ManagedProgram.opened(path, as: "MR", words, manager: manager, in: scratch)
    #expect(host.answer == 0, "\(host.program.child.standardError)")
    #expect(try await manager.next("/nsm/client/label").values == [.text("dj.yaml")])
    #expect(try await host.program.end() == .code(0))
    let link = try FileManager.default.destinationOfSymbolicLink(atPath: path + "/graph.yaml")
    #expect(link == graph)
    // Without a name the link counts.
    let unnamed = Self.host(on: server)
    let again = try await ManagedProgram.opened(
      path,
      as: "MR",
      unnamed,
      manager: manager,
      in: scratch,
    )
    #expect(again.answer == 0, "\(again.program.child.standardError)")
    #expect(try await manager.next("/nsm/client/label").values == [.text("dj.yaml")])
    #expect(try await again.program.end() == .code(0))
  }

  @Test(arguments: [
    ("corrupt", -9), ("file", -9), ("dangling", -9), ("below a file", -10), ("colon", -1),
    ("long", -1), ("no server", -1), ("relative", -1),
  ])
  func `NSM-20 a project that cannot be opened is refused with its code`(
    kind: String,
    code: Int32,
  ) async throws {
    let (scratch, manager) = (try Scratch(), try SessionManager())
    var path = scratch.path + "/project"
    var id = "MR"
    switch kind {
    case "corrupt":
      try FileManager.default.createDirectory(
        atPath: path,
        withIntermediateDirectories: true
      )
      try scratch.write("multiroute: [", to: "project/graph.yaml")
    case "file": try scratch.write("x", to: "project")
    case "dangling":
      try FileManager.default.createDirectory(
        atPath: path,
        withIntermediateDirectories: true
      )
      try FileManager.default.createSymbolicLink(
        atPath: path + "/graph.yaml",
        withDestinationPath: "/nowhere/graph.yaml",
      )
    case "below a file":
      path = try scratch.write("x", to: "file") + "/project"
    case "colon": id = "M:R"
    case "long": id = String(repeating: "x", count: 61)
    case "relative": path = "project"
    default: break
    }
    // The answer is the same after a restart.
    for _ in 0..<2 {
      let words = ["run", "--server", Scratch.uniqueName("none"), "--no-start-server"]
      let host = try await ManagedProgram.opened(path, as: id, words, manager: manager, in: scratch)
      #expect(host.answer == code, "\(host.program.child.standardError)")
      guard case .code(let status) = try await host.program.child.waitForEnd() else {
        Issue.record("it was ended by a signal")
        return
      }
      #expect(status != 0)
    }
  }

  // MARK: - Names

  @Test(
    .jackServer(),
    arguments: ["MultiRoute.nABCD", "Multi Route", String(repeating: "m", count: 60)],
  )
  func `NSM-40 NSM-42 all JACK clients are the id, or parts of it`(id: String) async throws {
    let (scratch, manager, server) = (try Scratch(), try SessionManager(), try testServer())
    let graph = try scratch.write(Self.graph, to: "dj.yaml")
    let watch = try ClientWatch(server: server.name)
    let host = try await ManagedProgram.opened(
      scratch.path + "/project",
      as: id,
      Self.host(graph, "--name", "other", on: server),
      manager: manager,
      in: scratch,
    )
    #expect(host.answer == 0, "\(host.program.child.standardError)")
    try await waitUntil("host, sources, captures, guard and the two of the effect are there") {
      await watch.present.count >= 6
    }
    for name in await watch.seen { #expect(name == id || name.hasPrefix(id + "/")) }
    #expect(await watch.seen.contains(id))
    #expect(try await host.program.end() == .code(0))
    try await waitUntil("all are gone", within: .seconds(2)) { await watch.present.isEmpty }
  }

  @Test(.jackServer(), arguments: ["njbridge", "jacktrip"])
  func `NSM-42 the programs of routes to other machines are parts of the id`(
    kind: String
  ) async throws {
    let (scratch, manager, server) = (try Scratch(), try SessionManager(), try testServer())
    let port = Int.random(in: 20_000...55_000)
    let far =
      kind == "njbridge"
      ? "{njbridge: {address: 127.0.0.1, port: \(port)}}"
      : "{jacktrip: {address: 127.0.0.1, port: \(port), peerPort: \(port + 1)}}"
    let graph = try scratch.write("multiroute: 1\nroutes:\n  far: \(far)", to: "far.yaml")
    let watch = try ClientWatch(server: server.name)
    let host = try await ManagedProgram.opened(
      scratch.path + "/project",
      as: "Multi Route.nABCD",
      Self.host(graph, on: server),
      manager: manager,
      in: scratch,
    )
    #expect(host.answer == 0, "\(host.program.child.standardError)")
    try await waitUntil("the program is there") {
      await watch.present.contains("Multi Route.nABCD/far")
    }
    try await waitUntil("the host is connected to it") {
      try watch.connections(of: "Multi Route.nABCD:far_out_1")
        .contains { $0.hasPrefix("Multi Route.nABCD/far:") }
    }
    #expect(try await host.program.end() == .code(0))
  }

  @Test(.jackServer())
  func `NSM-4 NSM-61 a link's name is announced, and without arguments a host is run`() async throws
  {
    let (scratch, manager) = (try Scratch(), try SessionManager())
    let link = scratch.path + "/my-mixer"
    try FileManager.default.createSymbolicLink(
      atPath: link,
      withDestinationPath: try Multiroute.path(),
    )
    let program = try await ManagedProgram([], program: link, manager: manager, in: scratch)
    #expect(program.announcedExecutable == "my-mixer")
    #expect(program.announcedName == "MultiRoute")
    #expect(try await program.end() == .code(0))
  }

  // MARK: - Requests of a running host

  @Test(.jackServer())
  func `NSM-10 a host keeps its project: another one is refused, and it plays on`() async throws {
    let (scratch, manager, server) = (try Scratch(), try SessionManager(), try testServer())
    let words = Self.host(on: server)
    let path = scratch.path + "/project"
    let host = try await ManagedProgram.opened(path, as: "MR", words, manager: manager, in: scratch)
    #expect(host.answer == 0, "\(host.program.child.standardError)")
    try manager.send("/nsm/client/session_is_loaded", to: host.program.address)
    #expect(try await host.program.open(scratch.path + "/other", as: "MR2") == -8)
    #expect(try await host.program.save() == 0)
    #expect(!FileManager.default.fileExists(atPath: scratch.path + "/other"))
    // A save that fails is told.
    try FileManager.default.removeItem(atPath: path)
    try scratch.write("in the way", to: "project")
    try await Self.setGain("-3dB", "MR", in: scratch)
    #expect(try await host.program.save() == -1)
    #expect(try await host.program.end() == .code(0))
  }

  @Test(.jackServer())
  func `a lost server is told with priority 2, and the host ends as before`() async throws {
    let (scratch, manager, server) = (try Scratch(), try SessionManager(), try testServer())
    let words = Self.host(on: server)
    let path = scratch.path + "/project"
    let host = try await ManagedProgram.opened(path, as: "MR", words, manager: manager, in: scratch)
    #expect(host.answer == 0, "\(host.program.child.standardError)")
    try await server.kill()
    var texts: [OSCValue] = []
    repeat {
      texts = try await manager.next("/nsm/client/message").values
    } while texts.first
      != .integer(2)
    #expect(texts.count == 2 && !texts[1].text.isEmpty)
    #expect(try await host.program.save() == 0)
    #expect(try await host.program.end() == .code(0))
  }

  // MARK: - Managers that do not manage

  @Test(.jackServer(), arguments: ["silent", "refusing", "stale", "TCP", "nonsense"])
  func `NSM-1 NSM-7 without a manager that takes it a host goes on by itself`(
    kind: String
  ) async throws {
    let (scratch, manager, server) = (try Scratch(), try SessionManager(), try testServer())
    let graph = try scratch.write(Self.graph, to: "dj.yaml")
    let url =
      switch kind {
      case "stale": "osc.udp://localhost:9/"
      case "TCP": manager.url.replacing("osc.udp", with: "osc.tcp")
      case "nonsense": "nonsense"
      default: manager.url
      }
    let name = Scratch.uniqueName("host")
    let host = try HostProcess(
      graph: graph,
      server: server.name,
      name: name,
      environment: ["NSM_URL": url],
      in: scratch,
    )
    if kind == "refusing" {
      let announcement = try await manager.next("/nsm/server/announce")
      try manager.refuse(announcement.sender, code: -6, reason: "no session is open")
    }
    let status = try await host.attached()
    #expect(status.host.name == name)
    #expect(host.child.standardError.contains("goes on without it"))
    #expect(try await host.stop() == .code(0))
  }

  @Test func `NSM-60 without a manager that takes it, a host needs a graph`() async throws {
    let scratch = try Scratch()
    let output = try await Multiroute.run(
      ["run"],
      environment: ["NSM_URL": "osc.udp://localhost:9/"],
      in: scratch,
    )
    #expect(output.end == .code(64))
    #expect(output.standardError.contains("multiroute run GRAPH"))
  }

  // MARK: - The end

  @Test(.jackServer(), arguments: ["announced", "accepted", "starting", "running"])
  func `NSM-50 SIGTERM ends a host in each phase, and its clients are gone`(
    phase: String
  ) async throws {
    let (scratch, manager, server) = (try Scratch(), try SessionManager(), try testServer())
    let graph = try scratch.write(Self.graph, to: "dj.yaml")
    let watch = try ClientWatch(server: server.name)
    let host = try await ManagedProgram(
      Self.host(graph, on: server),
      manager: manager,
      in: scratch,
    )
    if phase != "announced" { try manager.accept(host.address) }
    if ["starting", "running"].contains(phase) {
      try manager.open(scratch.path + "/project", as: "MR", at: host.address)
    }
    if phase == "starting" {
      try await waitUntil("the first client is there") { await !watch.seen.isEmpty }
    }
    if phase == "running" { #expect(try await manager.answer(to: "open") == 0) }
    #expect(try await host.end() == .code(0), "\(host.child.standardError)")
    try await waitUntil("all clients are gone", within: .seconds(2)) {
      await watch.present.isEmpty
    }
  }

  // MARK: - Nodes

  @Test func `a node without a server is refused, and ends`() async throws {
    let (scratch, manager) = (try Scratch(), try SessionManager())
    let words = ["node", "run", "delay", "--server", Scratch.uniqueName("none")]
    let path = scratch.path + "/project"
    let node = try await ManagedProgram.opened(path, as: "D", words, manager: manager, in: scratch)
    #expect(node.answer == -1)
    #expect(try await node.program.child.waitForEnd() == .code(69))
  }

  @Test(.jackServer())
  func `NSM-10 a node switches: another name first opens, and the same name opens again`()
    async throws
  {
    let (scratch, manager, server) = (try Scratch(), try SessionManager(), try testServer())
    let watch = try ClientWatch(server: server.name)
    let words = ["node", "run", "delay", "--server", server.name]
    let node = try await ManagedProgram.opened(
      scratch.path + "/one",
      as: "Delay.nA",
      words,
      manager: manager,
      in: scratch,
    )
    #expect(node.answer == 0, "\(node.program.child.standardError)")
    #expect(node.program.announcedName == "MultiRoute-delay")
    for name in ["Delay.nB", "Delay.nB"] {
      #expect(try await node.program.open(scratch.path + "/two", as: name) == 0)
      try await waitUntil("only \(name) is there") { await watch.present == [name] }
    }
    #expect(try await node.program.open(scratch.path + "/two", as: "a:b") == -1)
    #expect(await watch.present == ["Delay.nB"])
    #expect(try await node.program.save() == 0)
    #expect(try await node.program.end() == .code(0))
    try await waitUntil("it is gone", within: .seconds(2)) { await watch.present.isEmpty }
  }
}
