// SPDX-License-Identifier: MIT

import Foundation
import Mixing
import Synchronization
import Testing

@testable import Host

/// The state that outlives the host.
@Suite(.timeLimit(.minutes(2)))
struct StateTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "multiroute-state-\(UUID().uuidString)")

  private var file: StateFile { StateFile(directory: folder.path) }

  @Test func `each graph of a name has its own state, and the first takes that of old releases`()
    throws
  {
    let old = StateFile(directory: folder.path)
    var state = KeptState()
    state.crossfader = KeptPosition(position: 1, graphPosition: 0)
    try old.save(state)
    let (first, second) = (
      StateFile(directory: folder.path, graph: "/a.yaml"),
      StateFile(directory: folder.path, graph: "/b.yaml")
    )
    #expect(first.load().state?.crossfader == state.crossfader)
    #expect(second.load() == StateFile.Found())
    #expect(old.load() == StateFile.Found())
  }

  private var state: KeptState {
    var state = KeptState()
    state.permissions = ["mpv": .granted, "/usr/bin/arecord": .denied]
    state.apps["mpv"] = KeptApp(
      gainDB: -.infinity,
      isMuted: true,
      placements: ["out": ["system:playback_1"]]
    )
    state.strips["deck"] = KeptLevel(
      gainDB: -6,
      isMuted: false,
      graphGainDB: 0,
      isMutedByGraph: false,
    )
    state.positions = ["deck": 12.5]
    return state
  }

  @Test func `a state is there again, silence included, and is for its user's eyes only`() throws {
    #expect(file.load() == StateFile.Found())
    try file.save(state)
    #expect(file.load() == StateFile.Found(state: state))
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    try FileManager.default.removeItem(at: folder)
  }

  @Test(arguments: [
    "", "{", #"{"multirouteState": 1, "state": 7}"#, #"{"multirouteState": 2, "state": {}}"#,
  ])
  func `a file that cannot be used is said so and kept under another name`(text: String) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: file.path))
    let found = file.load()
    #expect(found.state == nil && found.faults.count == 1)
    #expect(found.faults.first?.contains(file.path) == true)
    #expect(file.load() == StateFile.Found())
    let others = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(others.count == 1)
    #expect(try Data(contentsOf: folder.appending(path: others[0])) == Data(text.utf8))
    try FileManager.default.removeItem(at: folder)
  }

  @Test func `parts that an older host did not know are empty`() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let text = #"{"multirouteState": 1, "state": {"permissions": {"mpv": "granted"}}}"#
    try Data(text.utf8).write(to: URL(filePath: file.path))
    var expected = KeptState()
    expected.permissions = ["mpv": .granted]
    #expect(file.load() == StateFile.Found(state: expected))
    try FileManager.default.removeItem(at: folder)
  }

  @Test func `a state that cannot be written is reported, and the next one is tried`() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data().write(to: folder.appending(path: "taken"))
    let told = Mutex<[String]>([])
    let store = StateStore(file: StateFile(directory: folder.path + "/taken/x"), saved: nil) {
      fault in
      told.withLock { $0.append(fault) }
    }
    store.flush(state)
    #expect(told.withLock(\.count) == 1)
    try FileManager.default.removeItem(at: folder.appending(path: "taken"))
    store.flush(state)
    #expect(told.withLock(\.count) == 2)
    #expect(
      StateFile(directory: folder.path + "/taken/x").load() == StateFile.Found(state: state)
    )
    try FileManager.default.removeItem(at: folder)
  }

  @Test func `users' changes are unsaved until they are written, and a failed save is told`()
    async throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    let reports = Mutex<[Bool]>([])
    let store = StateStore(
      file: file,
      saved: nil,
      report: { isUnsaved in reports.withLock { $0.append(isUnsaved) } },
    ) { _ in }
    // A position of a player is no user's change.
    #expect(store.noteChange(isByUser: false) != nil)
    #expect(reports.withLock { $0 } == [])
    #expect(store.noteChange() == nil)
    #expect(store.noteChange() == nil)
    #expect(reports.withLock { $0 } == [true])
    // A save before the writing that is due leaves the change unsaved: it may be newer.
    try await store.flushed(state)
    #expect(file.load() == StateFile.Found(state: state))
    #expect(reports.withLock { $0 } == [true])
    store.write(state)
    try await store.flushed(state)
    #expect(reports.withLock { $0 } == [true, false])

    try FileManager.default.removeItem(at: folder)
    try Data().write(to: folder)
    var changed = state
    changed.positions["other"] = 1
    await #expect(throws: KeptFile.Fault.self) { try await store.flushed(changed) }
  }

  @Test(arguments: [
    (["XDG_STATE_HOME": "/s", "HOME": "/h"], "/s/multiroute/dj"),
    (["XDG_STATE_HOME": "s", "HOME": "/h"], "/h/.local/state/multiroute/dj"),
    (["HOME": "/h"], "/h/.local/state/multiroute/dj"), ([:], nil),
  ])
  func `the directory is the one of the XDG rules`(environment: [String: String], path: String?) {
    #expect(StateDirectory.path(hostName: "dj", environment: environment) == path)
  }

  // MARK: - What counts, the graph or the user

  private let graph = MixSpec(
    strips: [StripSpec(id: "deck", channels: 1), StripSpec(id: "mic", channels: 1, isMuted: true)],
    routes: [RouteSpec(id: "main", channels: 1)],
    sends: [SendSpec(strip: "deck", route: "main"), SendSpec(strip: "mic", route: "main")],
  )

  @Test func `values that users changed are restored, and others are not kept`() throws {
    var changed = graph
    changed.strips[0].faderDB = -6
    changed.strips[1].isMuted = false
    changed.routes[0].gainDB = -3
    changed.sends[1].gainDB = -.infinity
    changed.crossfader.position = 1
    changed.strips.append(StripSpec(id: "session", channels: 2, faderDB: -1))
    var kept = KeptState()
    kept.take(changed, graph: graph)
    try file.save(kept)
    let restored = try #require(file.load().state)
    #expect(restored.sends["deck"] == nil && restored.strips["session"] == nil)
    changed.strips.removeLast()
    #expect(restored.applied(to: graph) == changed)
    kept.take(graph, graph: graph)
    #expect(kept == KeptState())
    try FileManager.default.removeItem(at: folder)
  }

  @Test func `a graph that was edited meanwhile counts`() {
    var changed = graph
    changed.strips[0].faderDB = -6
    changed.routes[0].gainDB = -3
    var kept = KeptState()
    kept.take(changed, graph: graph)
    var edited = graph
    edited.strips[0].faderDB = -1
    let start = kept.applied(to: edited)
    #expect(start.strips[0].faderDB == -1)
    #expect(start.routes[0].gainDB == -3)
  }
}
