// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import Glibc
import OSC
import TestSupport
import Testing

@testable import EndToEndSupport

/// Requests to a running host or node under a scripted session manager, and their ends.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct SessionManagerRequestTests {
  // MARK: - Requests of a running host

  @Test(.jackServer())
  func `NSM-10 NSM-11 a host keeps its project: another one is refused, and it plays on`()
    async throws
  {
    let stage = try ManagedStage()
    let words = stage.host()
    let path = stage.scratch.path + "/project"
    let host = try await stage.opened(path, as: "MR", words)
    #expect(host.answer == 0, "\(host.program.child.standardError)")
    try stage.manager.send("/nsm/client/session_is_loaded", to: host.program.address)
    #expect(try await host.program.open(stage.scratch.path + "/other", as: "MR2") == -8)
    #expect(try await host.program.save() == 0)
    #expect(!FileManager.default.fileExists(atPath: stage.scratch.path + "/other"))
    // A save that fails is told.
    try FileManager.default.removeItem(atPath: path)
    try stage.scratch.write("in the way", to: "project")
    try await stage.setGain("-3dB", "MR")
    #expect(try await host.program.save() == -1)
    #expect(try await host.program.end() == .code(0))
  }

  @Test(.jackServer())
  func `a lost server is told with priority 2, and the host ends as before`() async throws {
    let stage = try ManagedStage()
    let words = stage.host()
    let path = stage.scratch.path + "/project"
    let host = try await stage.opened(path, as: "MR", words)
    #expect(host.answer == 0, "\(host.program.child.standardError)")
    try await testServer().kill()
    var texts: [OSCValue] = []
    repeat {
      texts = try await stage.manager.next("/nsm/client/message").values
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
    let stage = try ManagedStage()
    let graph = try stage.scratch.write(ManagedStage.graph, to: "dj.yaml")
    let url =
      switch kind {
      case "stale": "osc.udp://localhost:9/"
      case "TCP": stage.manager.url.replacing("osc.udp", with: "osc.tcp")
      case "nonsense": "nonsense"
      default: stage.manager.url
      }
    let name = Scratch.uniqueName("host")
    let host = try HostProcess(
      graph: graph,
      server: stage.serverName,
      name: name,
      environment: ["NSM_URL": url],
      in: stage.scratch,
    )
    if kind == "refusing" {
      let announcement = try await stage.manager.next("/nsm/server/announce")
      try stage.manager.refuse(announcement.sender, code: -6, reason: "no session is open")
    }
    let status = try await host.attached()
    #expect(status.host.name == name)
    #expect(host.child.standardError.contains("goes on without it"))
    #expect(try await host.stop() == .code(0))
  }

  @Test(.jackServer())
  func `NSM-60 without a manager that takes it, a host plays the user's own graph`() async throws {
    let stage = try ManagedStage()
    let folder = stage.scratch.path + "/config/multiroute"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(ManagedStage.graph.utf8).write(to: URL(filePath: folder + "/graph.yaml"))
    let output = try await Multiroute.run(
      ["run", "--server", stage.serverName, "--no-start-server", "--duration", "1s"],
      environment: [
        "NSM_URL": "osc.udp://localhost:9/", "XDG_CONFIG_HOME": stage.scratch.path + "/config",
      ],
      in: stage.scratch,
    )
    #expect(output.end == .code(0), "\(output.standardError)")
    #expect(output.standardError.contains("goes on without it"))
    #expect((output.standardOutput + output.standardError).contains("config/multiroute/graph.yaml"))
  }

  // MARK: - The end

  @Test(.jackServer(), arguments: ["announced", "accepted", "starting", "running"])
  func `NSM-50 SIGTERM ends a host in each phase, and its clients are gone`(
    phase: String
  ) async throws {
    let stage = try ManagedStage()
    let graph = try stage.scratch.write(ManagedStage.graph, to: "dj.yaml")
    let watch = try ClientWatch(server: stage.serverName)
    let host = try await ManagedProgram(
      stage.host(graph),
      manager: stage.manager,
      in: stage.scratch,
    )
    if phase != "announced" { try stage.manager.accept(host.address) }
    if ["starting", "running"].contains(phase) {
      try stage.manager.open(stage.scratch.path + "/project", as: "MR", at: host.address)
    }
    if phase == "starting" {
      try await waitUntil("the first client is there") { await !watch.seen.isEmpty }
    }
    if phase == "running" { #expect(try await stage.manager.answer(to: "open") == 0) }
    #expect(try await host.end() == .code(0), "\(host.child.standardError)")
    try await waitUntil("all clients are gone", within: .seconds(2)) {
      await watch.present.isEmpty
    }
  }

  // MARK: - Nodes

  @Test func `a node without a server is refused, and ends`() async throws {
    let stage = try ManagedStage()
    let words = ["node", "run", "delay", "--server", stage.serverName]
    let path = stage.scratch.path + "/project"
    let node = try await stage.opened(path, as: "D", words)
    #expect(node.answer == -1)
    #expect(try await node.program.child.waitForEnd() == .code(69))
  }

  @Test(.jackServer())
  func `NSM-10 a node switches: another name first opens, and the same name opens again`()
    async throws
  {
    let stage = try ManagedStage()
    let watch = try ClientWatch(server: stage.serverName)
    let words = ["node", "run", "delay", "--server", stage.serverName]
    let node = try await stage.opened(stage.scratch.path + "/one", as: "Delay.nA", words)
    #expect(node.answer == 0, "\(node.program.child.standardError)")
    #expect(node.program.announcedName == "MultiRoute-delay")
    for name in ["Delay.nB", "Delay.nB"] {
      #expect(try await node.program.open(stage.scratch.path + "/two", as: name) == 0)
      try await waitUntil("only \(name) is there") { await watch.present == [name] }
    }
    #expect(try await node.program.open(stage.scratch.path + "/two", as: "a:b") == -1)
    #expect(await watch.present == ["Delay.nB"])
    #expect(try await node.program.save() == 0)
    #expect(try await node.program.end() == .code(0))
    try await waitUntil("it is gone", within: .seconds(2)) { await watch.present.isEmpty }
  }
}
