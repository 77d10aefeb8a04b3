// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Mixing
import Patchbay
import Sessions
import Synchronization
import Testing

@testable import Host

/// Kept states with values that no host has written, and disks that are full.
@Suite(.timeLimit(.minutes(2)))
struct StateFaultTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "multiroute-state-fault-\(UUID().uuidString)")

  private var file: StateFile { StateFile(directory: folder.path) }

  private func write(_ text: String, to path: String) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  private func level(_ gainDB: String) -> String {
    #"{"gainDB": \#(gainDB), "isMuted": false, "graphGainDB": 0, "isMutedByGraph": false}"#
  }

  // MARK: - Single values

  @Test func `values out of range are brought into it or left out, and the rest counts`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try write(
      #"""
      {"multirouteState": 1, "state": {
        "strips": {"loud": \#(level("200")), "bad": \#(level("\"nan\"")), "good": \#(level("-6")),
          "worst": \#(level("\"inf\"")), "text": \#(level("\"loud\"")), "silent": \#(level("\"-inf\""))},
        "sends": {"deck": {"main": \#(level("1e300")), "cue": 5}},
        "routes": 7,
        "crossfader": {"position": 9, "graphPosition": 0},
        "positions": {"a": 3, "b": -1, "c": "nan", "d": 1e300},
        "wishes": {"mpv": {"sampleRateHz": -1}, "vlc": {"sampleRateHz": 48000}},
        "seenDays": {"mpv": "today"},
        "apps": {"mpv": {"gainDB": 99, "isMuted": true, "session": {"category": "karaoke"}}, "vlc": []}
      }}
      """#,
      to: file.path,
    )
    let found = file.load()
    let state = try #require(found.state)
    #expect(
      state.strips.mapValues(\.gainDB) == [
        "loud": 24, "worst": 24, "good": -6, "silent": -.infinity,
      ]
    )
    #expect(state.sends["deck"]?.mapValues(\.gainDB) == ["main": 24])
    #expect(state.routes.isEmpty)
    #expect(state.crossfader?.position == 1)
    #expect(state.positions == ["a": 3])
    #expect(state.preferences.keys.sorted() == ["vlc"])
    #expect(state.apps == ["mpv": KeptApp(gainDB: 24, isMuted: true)])
    let fault = try #require(found.faults.first)
    #expect(found.faults.count == 1)
    for place in [
      "loud", "bad", "worst", "text", "main", "cue", "routes", "crossfader", "b:", "c:", "d:",
      "session",
    ] {
      #expect(fault.contains(place), "\(fault)")
    }
    // The file as it was is still there, and the state that is written next has no faults.
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
    try file.save(state)
    #expect(file.load() == StateFile.Found(state: state))
  }

  @Test(arguments: ["200", "\"nan\"", "\"inf\"", "-1e300", "\"\""])
  func `a gain of any size lets the mix begin`(gainDB: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let text = #"{"multirouteState": 1, "state": {"strips": {"deck": \#(level(gainDB))}}}"#
    try write(text, to: file.path)
    let graph = MixSpec(
      strips: [StripSpec(id: "deck", channels: 1)],
      routes: [RouteSpec(id: "main", channels: 1)],
      sends: [SendSpec(strip: "deck", route: "main")],
    )
    let spec = try #require(file.load().state).applied(to: graph)
    _ = try MixEngine(spec, configuration: MixEngine.Configuration(sampleRateHz: 48_000), tag: 1)
  }

  // MARK: - Permissions

  @Test func `one unknown word takes no other permission with it`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try write(
      #"{"multiroutePermissions": 1, "permissions": {"a": "granted", "b": "perhaps", "c": "denied"}}"#,
      to: file.permissionsPath,
    )
    let found = file.load()
    #expect(found.state?.permissions == ["a": .granted, "c": .denied])
    #expect(found.faults.count == 1 && found.faults[0].contains("b"))
  }

  @Test func `permissions of an older host are moved to their own file`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try write(
      #"{"multirouteState": 1, "state": {"permissions": {"mpv": "granted", "rec": "yes"}}}"#,
      to: file.path,
    )
    #expect(file.load().state?.permissions == ["mpv": .granted])
    // A damaged state takes no permission with it.
    try write("{", to: file.path)
    let found = file.load()
    #expect(found.state?.permissions == ["mpv": .granted])
    #expect(found.faults.count == 1)
  }

  @Test func `a damaged file of permissions takes nothing else with it`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    var state = KeptState()
    state.positions = ["deck": 3]
    state.permissions = ["mpv": .granted]
    try file.save(state)
    try write("?", to: file.permissionsPath)
    let found = file.load()
    #expect(found.state?.positions == ["deck": 3])
    #expect(found.state?.permissions.isEmpty == true)
    #expect(found.faults.count == 1 && found.faults[0].contains("permissions.json"))
  }

  @Test func `a FIFO in the place of the state is set aside`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    #expect(unsafe mkfifo(file.path, 0o600) == 0)
    let found = file.load()
    #expect(found.state == nil && found.faults.count == 1)
  }

  // MARK: - Forgetting

  @Test func `six thousand programs leave a bounded state`() throws {
    var state = KeptState()
    for index in 0..<6_000 {
      state.apps["app \(index)"] = KeptApp(gainDB: -1)
      state.preferences["app \(index)"] = try .init(sampleRateHz: 48_000)
      state.preferences["other \(index)"] = try .init(sampleRateHz: 48_000)
      state.permissions["/bin/app \(index)"] = index < 100 ? .denied : .granted
      state.patchesMade.insert(.init(source: "a:\(index)", destination: "b:1"))
    }
    state.note(present: ["app 5999"], today: 20_000)
    #expect(state.apps.count == KeptState.programLimit && state.apps["app 5999"] != nil)
    #expect(state.preferences.count <= 2 * KeptState.programLimit)
    #expect(state.permissions.count == KeptState.permissionLimit)
    #expect(state.permissions.values.count { $0 == .denied } == 100)
    #expect(state.patchesMade.count == KeptState.patchLimit)
  }

  @Test func `a program with a day that is still to come ages from today`() {
    var state = KeptState()
    state.apps["mpv"] = KeptApp()
    state.seenDays["mpv"] = 1_000_000
    state.note(present: [], today: 20_000)
    #expect(state.seenDays["mpv"] == 20_000)
    state.note(present: [], today: 20_000 + KeptState.forgettingDays + 1)
    #expect(state.apps.isEmpty && state.seenDays.isEmpty)
  }

  // MARK: - Full disks

  @Test func `a state that a full disk refused is written without a new change`() async throws {
    let directory = folder.path
    defer { try? FileManager.default.removeItem(at: folder) }
    // The limit holds for the whole process, so the store runs in one of its own.
    await #expect(processExitsWith: .success) { [directory = directory as String] in
      signal(SIGXFSZ, SIG_IGN)
      // To a writer, the limit on the size of files is the end of the disk.
      func limitFiles(toBytes bytes: rlim_t) {
        var limit = rlimit(rlim_cur: bytes, rlim_max: rlim_t.max)
        #expect(unsafe setrlimit(__rlimit_resource_t(1), &limit) == 0)
      }
      let told = Mutex<[String]>([])
      let store = StateStore(
        file: StateFile(directory: directory),
        saved: nil,
        firstPause: .milliseconds(1),
      ) { fault in told.withLock { $0.append(fault) } }
      var state = KeptState()
      state.positions = ["deck": 12.5]
      limitFiles(toBytes: 10)
      store.flush(state)
      #expect(told.withLock(\.count) == 1)
      #expect(StateFile(directory: directory).load() == StateFile.Found())
      limitFiles(toBytes: .max)
      // Until the store has tried again: looked for once a millisecond.
      while told.withLock(\.count) < 2 { usleep(1000) }
      #expect(StateFile(directory: directory).load() == StateFile.Found(state: state))
    }
  }
}
