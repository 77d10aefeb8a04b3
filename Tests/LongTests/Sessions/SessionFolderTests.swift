// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import Glibc
import OSC
import TestSupport
import Testing

@testable import EndToEndSupport

/// Folders, names and starts as session managers make them, and what they do without asking.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct SessionFolderTests {
  // MARK: - Folders

  @Test(.jackServer())
  func
    `NSM-30 NSM-32 NSM-62 NSM-63 NSM-64 a copied session has all that was changed, though nobody has saved it`()
    async throws
  {
    let stage = try ManagedStage()
    // The session's name is the prefix, in a folder of folders that only the manager's record names.
    let sessions = stage.scratch.path + "/data/nsm/Band"
    let words = stage.host()
    func open(_ session: String) async throws -> ManagedProgram {
      let path = "\(sessions)/\(session)/\(session).2"
      let opened = try await stage.opened(path, as: "MR_2", words)
      #expect(opened.answer == 0, "\(opened.program.child.standardError)")
      return opened.program
    }
    let first = try await open("My Set")
    try await stage.setGain("-6.5dB", "MR_2")
    // The file by its name: a half written one has another.
    let state = "\(sessions)/My Set/My Set.2/state/state.json"
    try await waitUntil("the change is on the disk") {
      (try? String(contentsOfFile: state, encoding: .utf8))?.contains("-6.5") == true
    }
    // A session that is only read is never saved, and ends as it comes.
    first.child.send(SIGKILL)
    #expect(try await first.child.waitForEnd() == .signal(SIGKILL))
    let files = FileManager.default
    #expect(try files.contentsOfDirectory(atPath: sessions + "/My Set") == ["My Set.2"])
    let inside = try files.subpathsOfDirectory(atPath: sessions + "/My Set/My Set.2")
    #expect(Set(inside.compactMap { $0.split(separator: "/").first }) == ["graph.yaml", "state"])
    #expect(!inside.contains { $0.contains("MR_2") || $0.contains("My Set") })

    try files.createDirectory(atPath: sessions + "/Copy", withIntermediateDirectories: true)
    try files.copyItem(
      atPath: sessions + "/My Set/My Set.2",
      toPath: sessions + "/Copy/Copy.2",
    )
    let second = try await open("Copy")
    #expect(try await stage.gain("MR_2") == "-6.5")
    try await stage.setGain("-9dB", "MR_2")
    #expect(try await second.save() == 0)
    #expect(try await second.end() == .code(0))
    let again = try await open("My Set")
    #expect(try await stage.gain("MR_2") == "-6.5", "the copy has a state of its own")
    #expect(try await again.end() == .code(0))
    // The manager's own files are there, and nothing else.
    #expect(!files.fileExists(atPath: stage.scratch.runtimeDirectory + "/nsm"))
    #expect(!files.fileExists(atPath: stage.scratch.stateDirectory))
  }

  @Test(.jackServer())
  func `NSM-30 NSM-66 a node makes nothing at the path, and without NSM_URL it is a plain program`()
    async throws
  {
    let stage = try ManagedStage()
    let words = ["node", "run", "delay", "--server", stage.serverName]
    let path = stage.scratch.path + "/Song/delay.nABCD"
    let node = try await stage.opened(path, as: "D", words)
    #expect(node.answer == 0, "\(node.program.child.standardError)")
    #expect(try await node.program.save() == 0)
    #expect(try await node.program.end() == .code(0))
    #expect(!FileManager.default.fileExists(atPath: stage.scratch.path + "/Song"))

    // As nsm-proxy starts it: with fixed arguments, and without the address.
    let watch = try ClientWatch(server: stage.serverName)
    let plain = try Child(
      "/bin/sh",
      ["-c", #"unset NSM_URL; exec "$0" "$@""#, try Multiroute.path()] + words,
      environment: stage.scratch.hostEnvironment.merging(["NSM_URL": stage.manager.url]) { $1 },
      in: stage.scratch,
    )
    try await waitUntil("the node is there by its own name") { await watch.present == ["delay"] }
    plain.send(SIGTERM)
    #expect(try await plain.waitForEnd() == .code(0))
    #expect(stage.manager.count(of: "/nsm/server/announce") == 0)
  }

  // MARK: - Starts

  @Test(.jackServer())
  func
    `NSM-13 NSM-33 NSM-62 NSM-65 a host behind a wrapper tells its own process, and takes only what is for it`()
    async throws
  {
    let stage = try ManagedStage()
    let graph = try stage.scratch.write(ManagedStage.graph, to: "dj.yaml")
    // RaySession's field for arguments, and a wrapper that waits for its program.
    let wrapper = try Child(
      "/bin/sh",
      ["-c", #""$0" "$@"; exit $?"#, try Multiroute.path()] + stage.host(graph),
      environment: stage.scratch.hostEnvironment.merging(["NSM_URL": stage.manager.url]) { $1 },
      in: stage.scratch,
    )
    // nsmd gives up after this time.
    let announcement = try await stage.manager.next("/nsm/server/announce", within: .seconds(5))
    guard case .integer(let pid) = announcement.values[5] else {
      Issue.record("no process: \(announcement.values)")
      return
    }
    let parent = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
      .split(separator: ")").last?.split(separator: " ").dropFirst().first
    #expect(parent.map(String.init) == "\(wrapper.pid)")
    // Without a window there are no menus to hide: other projects are the manager's alone (NSM-33).
    #expect(!announcement.values[1].text.contains("optional-gui"))
    try stage.manager.accept(announcement.sender)
    let path = stage.scratch.path + "/project"
    try stage.manager.open(path, as: "MR", at: announcement.sender)
    #expect(try await stage.manager.answer(to: "open", within: .seconds(60)) == 0)
    // A broadcast of another client, the manager's own commands, and orders to a window change nothing.
    for message in [
      "/nsm/client/show_optional_gui", "/nsm/client/hide_optional_gui", "/hydrogen/tempo",
      "/nsm/server/broadcast", "/nsm/server/save", "/nsm/server/quit", "/nsm/server/abort",
    ] {
      try stage.manager.send(message, [], to: announcement.sender)
    }
    try stage.manager.send("/nsm/client/save", to: announcement.sender)
    #expect(try await stage.manager.answer(to: "save") == 0)
    #expect(try await stage.gain("MR") == "0")
    #expect(stage.manager.count(of: "/error") == 0)
    #expect(kill(pid, SIGTERM) == 0)
    #expect(try await wrapper.waitForEnd() == .code(0), "\(wrapper.standardError)")
  }

  // MARK: - The end

  @Test(.jackServer())
  func `NSM-51 a host ends before a manager kills it, also beside a server that hangs`()
    async throws
  {
    let stage = try ManagedStage()
    let host = try await stage.opened(stage.scratch.path + "/project", as: "MR", stage.host())
    #expect(host.answer == 0, "\(host.program.child.standardError)")
    let server = try testServer()
    server.hang()
    defer { server.goOn() }
    host.program.child.send(SIGTERM)
    // nsmd and RaySession kill after 30 seconds.
    let end = try await host.program.child.waitForEnd(within: .seconds(30))
    #expect(end == .code(0), "\(host.program.child.standardError)")
  }
}
