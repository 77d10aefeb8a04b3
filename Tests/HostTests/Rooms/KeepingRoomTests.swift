// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import GraphFiles
import Mixing
import Patchbay
import Sessions
import Testing

@testable import Host

/// The restored state, the kept state, and the times of both.
struct KeepingRoomTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "multiroute-keeping-\(UUID().uuidString)")

  private func configuration(_ graph: String = "") throws -> HostConfiguration {
    var configuration = HostConfiguration(
      graph: try GraphFile.parse("multiroute: 1\nname: dj\n" + graph, path: "g.yaml")
    )
    configuration.stateDirectory = folder.path
    return configuration
  }

  /// Runs a test with a room whose host has the values of `snapshot`.
  private func run(
    _ configuration: HostConfiguration,
    snapshot: KeepingSnapshot = KeepingSnapshot(),
    _ test: @Sendable (RoomBench.Surroundings, KeepingRoom) async throws -> Void,
  ) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try await RoomBench().run { _, surroundings in
      let room = KeepingRoom(
        place: configuration.statePlace,
        graph: GraphRoom(configuration.graph),
        control: surroundings.control,
      ) {
        snapshot
      }
      try await test(surroundings, room)
    }
  }

  private func save(_ change: (inout KeptState) -> Void) throws {
    var state = KeptState()
    change(&state)
    try StateFile(directory: folder.path).save(state)
  }

  private var saved: KeptState? {
    StateFile(directory: folder.path).load().state
  }

  @Test func `before it is restored a room is empty and never writes`() async throws {
    try save { $0.permissions = ["mpv": .granted] }
    try await run(try configuration()) { _, room in
      #expect(room.permissions.isEmpty && room.app("mpv") == nil)
      room.changed()
      room.close()
      #expect(saved?.permissions == ["mpv": .granted])
    }
  }

  @Test func `the last host's state is restored`() async throws {
    try save { state in
      state.permissions = ["mpv": .granted, "arecord": .denied]
      state.apps["mpv"] = KeptApp(gainDB: -6)
      state.positions = ["deck": 12.5]
    }
    try await run(try configuration()) { surroundings, room in
      room.restore()
      #expect(room.permissions == ["mpv": .granted, "arecord": .denied])
      #expect(room.app("mpv")?.gainDB == -6 && room.positions == ["deck": 12.5])
      #expect(surroundings.takeMessages().isEmpty)
    }
  }

  @Test func `a fresh start keeps only the answers of users`() async throws {
    try save { state in
      state.permissions = ["mpv": .denied]
      state.apps["mpv"] = KeptApp(gainDB: -6)
      state.positions = ["deck": 12.5]
    }
    var configuration = try configuration()
    configuration.startsFresh = true
    try await run(configuration) { _, room in
      room.restore()
      #expect(room.permissions == ["mpv": .denied])
      #expect(room.app("mpv") == nil && room.positions.isEmpty)
    }
  }

  @Test func `values in force and faders of programs are told at the start, and others are not`()
    async throws
  {
    try save { state in
      for route in ["main", "phones"] {
        // The graph has another gain of the phones since.
        state.routes[route] = KeptLevel(
          gainDB: -6,
          isMuted: false,
          graphGainDB: route == "main" ? 0 : -1,
          isMutedByGraph: false,
        )
      }
      state.apps["mpv"] = KeptApp(gainDB: -3)
      state.apps["vlc"] = KeptApp(isMuted: true)
    }
    let routes = "routes: {main: {ports: [a:b]}, phones: {ports: [a:c]}}\n"
    try await run(try configuration(routes)) { surroundings, room in
      room.restore()
      #expect(surroundings.takeMessages().isEmpty)
      for _ in 1...2 { _ = room.startMix(channels: [:], sampleRateHz: 48_000) }
      #expect(
        surroundings.takeMessages() == [
          "kept from the last run: route main -6.0 dB, program mpv -3.0 dB, program vlc muted; --fresh forgets"
        ]
      )
    }
  }

  @Test func `a graph file that is applied in place of another has its own state`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let text = "multiroute: 1\nname: dj\nroutes: {main: {ports: [a:b]}}\n"
    let (first, other) = (
      try GraphFile.parse(text, path: "/first.yaml"), try GraphFile.parse(text, path: "/other.yaml")
    )
    let directory = folder.path
    try StateFile(directory: directory, graph: "/other.yaml").save(
      {
        var state = KeptState(); state.apps["vlc"] = KeptApp(gainDB: -9); return state
      }()
    )
    try await RoomBench().run { _, surroundings in
      var spec = MixBuilder.spec(of: first, channels: [:], sampleRateHz: 48_000)
      let graphs = GraphRoom(first)
      let room = KeepingRoom(
        place: StatePlace(directory: directory, startsFresh: false) { $0.path },
        graph: graphs,
        control: surroundings.control,
      ) {
        KeepingSnapshot(spec: spec)
      }
      func kept(_ path: String) -> KeptState? {
        StateFile(directory: directory, graph: path).load().state
      }
      room.restore()
      spec = room.startMix(channels: [:], sampleRateHz: 48_000)
      spec.routes[0].gainDB = -6
      try await room.save()
      graphs.take(other)
      room.takeMix(MixBuilder.spec(of: other, channels: [:], sampleRateHz: 48_000))
      spec.routes[0].gainDB = -12
      try await room.save()
      #expect(room.app("vlc")?.gainDB == -9)
      #expect(kept("/first.yaml")?.routes["main"]?.gainDB == -6)
      #expect(kept("/other.yaml")?.routes["main"]?.gainDB == -12)
    }
  }

  @Test func `a file that cannot be read is reported, and the room begins empty`() async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("{".utf8).write(to: folder.appending(path: StateFile.name))
    try await run(try configuration()) { surroundings, room in
      room.restore()
      #expect(surroundings.takeMessages().count == 1)
      #expect(room.permissions.isEmpty)
    }
  }

  @Test func `the end writes the snapshot, and the room never writes after it`() async throws {
    var snapshot = KeepingSnapshot()
    snapshot.permissions = ["mpv": .granted, "cheese": .undetermined]
    snapshot.programs = [
      ProgramSnapshot(
        name: "mpv",
        level: .init(gainDB: -12, isMuted: true),
      )
    ]
    try await run(try configuration(), snapshot: snapshot) { _, room in
      room.restore()
      room.close()
      #expect(saved?.permissions == ["mpv": .granted])
      let graph = KeptStart(gainDB: 0, isMuted: false)
      #expect(saved?.apps == ["mpv": KeptApp(gainDB: -12, isMuted: true, graph: graph)])
      try FileManager.default.removeItem(at: folder)
      room.changed()
      room.close()
      #expect(saved == nil)
    }
  }

  @Test func `changes at once are written once, 40 ms after the first`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let configuration = try configuration()
    let bench = try RoomBench()
    try await bench.run { _, surroundings in
      var snapshots = 0
      let room = KeepingRoom(
        place: configuration.statePlace,
        graph: GraphRoom(configuration.graph),
        control: surroundings.control,
      ) {
        snapshots += 1
        return KeepingSnapshot()
      }
      room.restore()
      for _ in 1...3 { room.changed() }
      await handedOver()
      bench.advance(milliseconds: 39)
      await handedOver()
      #expect(snapshots == 0)
      bench.advance(milliseconds: 1)
      await handedOver()
      #expect(snapshots == 1)
      room.changed()
      await handedOver()
      // The next one waits for four times as long as the first has taken, on a disk and a machine that may be busy.
      bench.advance(milliseconds: 3_600_000)
      await handedOver()
      #expect(snapshots == 2)
    }
  }

  @Test func `a fader where its strip began is not kept, nor a mute that is off`() {
    var state = KeptState()
    state.apps["mpv"] = KeptApp(gainDB: -3, isMuted: true)
    var start = GraphFile.StartLevels()
    start.gainDB = -6
    state.take(
      ProgramSnapshot(name: "mpv", level: .init(gainDB: -6, isMuted: false, start: start))
    )
    #expect(state.apps["mpv"] == KeptApp())
  }

  @Test func `a program without strip or session keeps the last values`() {
    let before = KeptApp(gainDB: -3, isMuted: true, placements: ["out": ["card:1"]])
    var state = KeptState()
    state.apps["mpv"] = before
    state.take(ProgramSnapshot(name: "mpv"))
    #expect(state.apps["mpv"] == before)
  }

  @Test func `places are kept in order, and forgotten when there are none`() {
    var state = KeptState()
    state.take(
      ProgramSnapshot(
        name: "mpv",
        placement: .init(placements: ["out": ["card:2", "card:1"]], isByHand: true),
      )
    )
    #expect(state.apps["mpv"]?.placements == ["out": ["card:1", "card:2"]])
    #expect(state.apps["mpv"]?.isPlacedByHand == true)
    state.take(ProgramSnapshot(name: "mpv", placement: .init(placements: [:], isByHand: false)))
    #expect(state.apps["mpv"] == KeptApp())
  }

  @Test func `positions are kept of files that resume, and end with the file`() async throws {
    try save { $0.positions = ["deck": 5] }
    let file = folder.appending(path: "a.wav")
    try Data().write(to: file)
    let graph = """
      routes: {main: {ports: [system:playback_1]}}
      sources:
        deck: {file: \(file.path), resume: true}
        other: {file: \(file.path)}
      mix: [{from: deck, to: main}, {from: other, to: main}]

      """
    for (position, kept) in [(7.5, ["deck": 7.5]), (nil, [:])] as [(Double?, [String: Double])] {
      let snapshot = KeepingSnapshot(positions: ["deck": position, "other": 3])
      let configuration = try configuration(graph)
      try await RoomBench().run { _, surroundings in
        let room = KeepingRoom(
          place: configuration.statePlace,
          graph: GraphRoom(configuration.graph),
          control: surroundings.control,
        ) {
          snapshot
        }
        room.restore()
        room.close()
      }
      #expect(saved?.positions == kept)
    }
    try? FileManager.default.removeItem(at: folder)
  }

  private static var patched: UserPatches {
    UserPatches(
      made: [ConnectionPair(source: "dj:main_out_1", destination: "rec:in_1")],
      takenAway: [ConnectionPair(source: "dj:main_out_1", destination: "system:playback_1")],
    )
  }

  @Test(arguments: [true, false])
  func `patches of users are kept where the graph asks for it`(areKept: Bool) async throws {
    let configuration = try configuration("keepPatches: \(areKept)\n")
    try await run(configuration) { _, room in
      room.restore()
      room.keep(Self.patched)
      let statuses = room.statuses(of: Self.patched)
      #expect(statuses.map(\.made) == [true, false])
      #expect(statuses.allSatisfy { $0.kept == areKept })
      #expect(room.startConnections.madeByHand.count == (areKept ? 1 : 0))
      #expect(room.startConnections.takenAway.count == (areKept ? 1 : 0))
      room.close()
      #expect(saved?.patchesMade.count == (areKept ? 1 : 0))
    }
  }
}
