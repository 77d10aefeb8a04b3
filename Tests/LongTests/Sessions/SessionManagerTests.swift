// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import Glibc
import OSC
import TestSupport
import Testing

@testable import EndToEndSupport

/// Projects and names of `multiroute run` as a client of a scripted session manager.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct SessionManagerTests {
  // MARK: - Projects

  @Test(.jackServer())
  func `NSM-31 NSM-60 a new project gets a graph; what is saved survives kill -9`() async throws {
    let stage = try ManagedStage()
    let words = stage.host()
    let (path, id) = (stage.scratch.path + "/Song/MultiRoute.nABCD", "MultiRoute.nABCD")
    let first = try await stage.opened(path, as: id, words)
    #expect(first.answer == 0, "\(first.program.child.standardError)")
    #expect(first.program.announcedName == "MultiRoute")
    #expect(try await stage.manager.next("/nsm/client/label").values == [.text("graph.yaml")])
    #expect(stage.manager.count(of: "/nsm/client/progress") >= 2)
    try await stage.setGain("-6.5dB", id)
    _ = try await stage.manager.next("/nsm/client/is_dirty")
    _ = try await stage.manager.next("/nsm/client/is_clean")
    try await stage.setGain("-7.5dB", id)
    #expect(try await first.program.save() == 0)
    first.program.child.send(SIGKILL)
    #expect(try await first.program.child.waitForEnd() == .signal(SIGKILL))

    let again = try await stage.opened(path, as: id, words)
    #expect(again.answer == 0, "\(again.program.child.standardError)")
    #expect(try await stage.gain(id) == "-7.5")
    #expect(try await again.program.end() == .code(0))
    let files = try FileManager.default.contentsOfDirectory(atPath: path)
    #expect(Set(files) == ["graph.yaml", "state"])
    #expect(!FileManager.default.fileExists(atPath: stage.scratch.stateDirectory))
  }

  @Test(.jackServer())
  func `NSM-31 two projects with one id do not mix`() async throws {
    let stage = try ManagedStage()
    let words = stage.host()
    for gain in ["-3", "-9"] {
      let path = "\(stage.scratch.path)/song\(gain)"
      let host = try await stage.opened(path, as: "MR", words)
      #expect(host.answer == 0, "\(host.program.child.standardError)")
      #expect(try await stage.gain("MR") == "0")
      try await stage.setGain("\(gain)dB", "MR")
      #expect(try await host.program.save() == 0)
      #expect(try await host.program.end() == .code(0))
    }
    for gain in ["-3", "-9"] {
      let path = "\(stage.scratch.path)/song\(gain)"
      let host = try await stage.opened(path, as: "MR", words)
      #expect(try await stage.gain("MR") == gain)
      #expect(try await host.program.end() == .code(0))
    }
  }

  @Test(.jackServer())
  func `a named graph is played, and the project links to it`() async throws {
    let stage = try ManagedStage()
    let graph = try stage.scratch.write(ManagedStage.graph, to: "dj.yaml")
    let path = stage.scratch.path + "/project"
    let words = stage.host(graph)
    let host = try await stage.opened(path, as: "MR", words)
    #expect(host.answer == 0, "\(host.program.child.standardError)")
    #expect(try await stage.manager.next("/nsm/client/label").values == [.text("dj.yaml")])
    #expect(try await host.program.end() == .code(0))
    let link = try FileManager.default.destinationOfSymbolicLink(atPath: path + "/graph.yaml")
    #expect(link == graph)
    // Without a name the link counts.
    let unnamed = stage.host()
    let again = try await stage.opened(path, as: "MR", unnamed)
    #expect(again.answer == 0, "\(again.program.child.standardError)")
    #expect(try await stage.manager.next("/nsm/client/label").values == [.text("dj.yaml")])
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
    let stage = try ManagedStage()
    var path = stage.scratch.path + "/project"
    var id = "MR"
    switch kind {
    case "corrupt":
      try FileManager.default.createDirectory(
        atPath: path,
        withIntermediateDirectories: true
      )
      try stage.scratch.write("multiroute: [", to: "project/graph.yaml")
    case "file": try stage.scratch.write("x", to: "project")
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
      path = try stage.scratch.write("x", to: "file") + "/project"
    case "colon": id = "M:R"
    case "long": id = String(repeating: "x", count: 61)
    case "relative": path = "project"
    default: break
    }
    // The answer is the same after a restart.
    for _ in 0..<2 {
      let words = ["run", "--server", stage.serverName, "--no-start-server"]
      let host = try await stage.opened(path, as: id, words)
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
    let stage = try ManagedStage()
    let graph = try stage.scratch.write(ManagedStage.graph, to: "dj.yaml")
    let watch = try ClientWatch(server: stage.serverName)
    let host = try await stage.opened(
      stage.scratch.path + "/project",
      as: id,
      stage.host(graph, "--name", "other")
    )
    #expect(host.answer == 0, "\(host.program.child.standardError)")
    try await waitUntil("host, sources, captures, guard, the effect and its two are there") {
      await watch.present.count >= 7
    }
    // A node is a program of its own, which other hosts use by the same name.
    let others = await watch.seen.filter { $0 != id && !$0.hasPrefix(id + "/") }
    #expect(others == ["delay"])
    #expect(await watch.seen.contains(id))
    #expect(try await host.program.end() == .code(0))
    try await waitUntil("all are gone", within: .seconds(2)) { await watch.present.isEmpty }
  }

  @Test(.jackServer(), arguments: ["njbridge", "jacktrip"])
  func `NSM-42 the programs of routes to other machines are parts of the id`(
    kind: String
  ) async throws {
    let stage = try ManagedStage()
    let port = try await SurfaceRig.freePort()
    let far =
      kind == "njbridge"
      ? "{njbridge: {address: 127.0.0.1, port: \(port)}}"
      : "{jacktrip: {address: 127.0.0.1, port: \(port), peerPort: \(port + 1)}}"
    let graph = try stage.scratch.write("multiroute: 1\nroutes:\n  far: \(far)", to: "far.yaml")
    let watch = try ClientWatch(server: stage.serverName)
    let host = try await stage.opened(
      stage.scratch.path + "/project",
      as: "Multi Route.nABCD",
      stage.host(graph)
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
    let stage = try ManagedStage()
    let link = stage.scratch.path + "/my-mixer"
    try FileManager.default.createSymbolicLink(
      atPath: link,
      withDestinationPath: try Multiroute.path(),
    )
    let program = try await ManagedProgram(
      [],
      program: link,
      manager: stage.manager,
      in: stage.scratch
    )
    #expect(program.announcedExecutable == "my-mixer")
    #expect(program.announcedName == "MultiRoute")
    #expect(try await program.end() == .code(0))
  }
}
