// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Testing

@testable import Host

/// Notifications of parameters to connections, with a clock that stands still.
struct ParameterRoomTests {
  /// A room whose host has the strips that the test gives it.
  private final class Watched {
    private let status: HostStatus
    /// The gains of strips.
    var gains: [String: Double] = ["deck-a": 0, "deck-b": 0]
    private(set) var sent: [(connection: UInt64, values: [ParameterValue], removed: [String])] = []
    private(set) var areLevelsWatched = false
    /// Happens once, between a snapshot and its comparison.
    var behindSnapshot: (() -> Void)?
    private(set) lazy var room = ParameterRoom(control: control, links: links)
    private let control: Control

    init(_ surroundings: RoomBench.Surroundings, _ rooms: Rooms) {
      control = surroundings.control
      status = rooms.status()
    }

    private var links: ParameterRoom.Links {
      ParameterRoom.Links(
        snapshot: { [unowned self] in
          var status = status
          status.strips = gains.map { name, gain in
            StripStatus(
              id: name,
              source: "",
              gainDB: gain,
              muted: false,
              solo: false,
              cue: false,
              pan: 0,
              crossfaderSide: nil,
            )
          }
          defer {
            let next = behindSnapshot
            behindSnapshot = nil
            next?()
          }
          return ParameterSnapshot(
            status: status,
            permissions: [],
            scenes: SceneList(scenes: [], current: nil, safe: []),
            meters: nil,
          )
        },
        send: { [unowned self] changes, connections in
          for connection in connections {
            sent.append((connection.rawValue, changes.changes.map(\.value), changes.removed))
          }
        },
        levelsWatched: { [unowned self] in areLevelsWatched = $0 },
      )
    }

    func watch(_ paths: String..., connection: UInt64 = 1) throws(ControlError) {
      let id = ConnectionID(rawValue: connection)
      _ = try room.watch(WatchParameters.Params(paths: paths), for: id)
    }

    /// Changes a gain, as another program does.
    func change(_ strip: String, to gainDB: Double) async {
      gains[strip] = gainDB
      room.changed()
      await settle()
    }

    /// Waits until the values that have been handed over are compared, and what is new is sent.
    func settle() async {
      await handedOver()
      while !room.isSettled { await Task.yield() }
    }
  }

  @Test func `a burst is folded to the latest value, in one message every 20 ms`() async throws {
    let bench = try RoomBench()
    try await bench.run { rooms, surroundings in
      let watched = Watched(surroundings, rooms)
      try watched.watch("/strip/deck-a/gain")
      for gain in 1...10 { await watched.change("deck-a", to: -Double(gain)) }
      // The first change goes out at once, the latest when 20 ms are over.
      #expect(watched.sent.map(\.values) == [[.number(-1)]])
      bench.advance(milliseconds: 20)
      await watched.settle()
      #expect(watched.sent.map(\.values) == [[.number(-1)], [.number(-10)]])
      bench.advance(milliseconds: 200)
      await watched.settle()
      #expect(watched.sent.count == 2)
    }
  }

  @Test func `a connection is not told of its own setting, the others are`() async throws {
    try await RoomBench().run { rooms, surroundings in
      let watched = Watched(surroundings, rooms)
      try watched.watch("/strip", connection: 1)
      try watched.watch("/strip", connection: 2)
      watched.gains["deck-a"] = -3
      let own = ParameterSetting(path: "/strip/deck-a/gain", value: .number(-3))
      watched.room.hasSet(own, by: ConnectionID(rawValue: 1))
      await watched.settle()
      #expect(watched.sent.map(\.connection) == [2])
    }
  }

  @Test func `a connection that sets again during a comparison is told of neither setting`()
    async throws
  {
    let bench = try RoomBench()
    try await bench.run { rooms, surroundings in
      let watched = Watched(surroundings, rooms)
      try watched.watch("/strip")
      func set(_ gain: Double) {
        watched.gains["deck-a"] = gain
        let own = ParameterSetting(path: "/strip/deck-a/gain", value: .number(gain))
        watched.room.hasSet(own, by: ConnectionID(rawValue: 1))
      }
      watched.behindSnapshot = { set(-6) }
      set(-3)
      await watched.settle()
      bench.advance(milliseconds: 20)
      await watched.settle()
      #expect(watched.sent.isEmpty)
      // It is told of the next one who does.
      await watched.change("deck-a", to: -9)
      bench.advance(milliseconds: 20)
      await watched.settle()
      #expect(watched.sent.map(\.values) == [[.number(-9)]])
    }
  }

  @Test func `parameters that go are told by their paths`() async throws {
    try await RoomBench().run { rooms, surroundings in
      let watched = Watched(surroundings, rooms)
      try watched.watch("/strip/deck-b/gain", "/strip/deck-b/mute")
      watched.gains["deck-b"] = nil
      watched.room.changed()
      await watched.settle()
      #expect(watched.sent.map(\.removed) == [["/strip/deck-b/gain", "/strip/deck-b/mute"]])
    }
  }

  @Test func `after its end, or with no paths, a connection gets nothing`() async throws {
    try await RoomBench().run { rooms, surroundings in
      let watched = Watched(surroundings, rooms)
      try watched.watch("/", connection: 1)
      try watched.watch("/", connection: 2)
      watched.room.connectionClosed(ConnectionID(rawValue: 1))
      try watched.watch(connection: 2)
      await watched.change("deck-a", to: -3)
      #expect(watched.sent.isEmpty)
    }
  }

  @Test func `levels are read for those who watch them`() async throws {
    try await RoomBench().run { rooms, surroundings in
      let watched = Watched(surroundings, rooms)
      try watched.watch("/strip/deck-a/gain")
      #expect(!watched.areLevelsWatched)
      try watched.watch("/strip/deck-a")
      #expect(watched.areLevelsWatched)
      watched.room.connectionClosed(ConnectionID(rawValue: 1))
      #expect(!watched.areLevelsWatched)
    }
  }

  @Test func `levels that come later are read, too`() async throws {
    try await RoomBench().run { rooms, surroundings in
      let watched = Watched(surroundings, rooms)
      try watched.watch("/strip/late")
      #expect(!watched.areLevelsWatched)
      await watched.change("late", to: 0)
      #expect(watched.areLevelsWatched)
    }
  }

  @Test func `a connection that begins to watch takes no change from the others`() async throws {
    try await RoomBench().run { rooms, surroundings in
      let watched = Watched(surroundings, rooms)
      try watched.watch("/strip", connection: 1)
      watched.gains["deck-a"] = -3
      try watched.watch("/strip", connection: 2)
      await watched.settle()
      #expect(watched.sent.map(\.connection) == [1])
      #expect(watched.sent.first?.values == [.number(-3)])
    }
  }

  @Test func `only so many connections watch, and one that goes leaves its place`() async throws {
    try await RoomBench().run { rooms, surroundings in
      let watched = Watched(surroundings, rooms)
      for number in 1...UInt64(ParameterRoom.watcherLimit) {
        try watched.watch("/strip", connection: number)
      }
      let refusal = #expect(throws: ControlError.self) {
        try watched.watch("/strip", connection: 0)
      }
      #expect(refusal?.message.contains("128 at once") == true)
      try watched.watch("/route", connection: 1)
      watched.room.connectionClosed(ConnectionID(rawValue: 2))
      try watched.watch("/strip", connection: 0)
    }
  }
}
