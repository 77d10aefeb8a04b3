// SPDX-License-Identifier: MIT

import ControlProtocol
import JACK
import TestSupport
import Testing

@testable import Host

/// Desks that speak Mackie Control and change, come and go with versions of the graph, on a real server.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct MackieApplyTests {
  /// The line of names on a unit's display: `kind` is 0x14 for a main unit, 0x15 for an extender.
  private static func names(_ strips: [String], kind: UInt8 = 0x14) -> [UInt8] {
    let cells = strips + [String](repeating: "", count: 8 - strips.count)
    let line = cells.map { $0 + String(repeating: " ", count: 7 - $0.count) }.joined()
    return [0xF0, 0x00, 0x00, 0x66, kind, 0x12, 0] + Array(line.utf8) + [0xF7]
  }

  private static let decks = names(["deck-a", "deck-b"])

  /// A unit whose keys of mute are pressed one after the other, those of `strips` counted from 0.
  private static func unit(_ name: String, mutes strips: [UInt8], server: String) throws
    -> MIDIDevice
  {
    try MIDIDevice(
      strips.enumerated().map { TimedMIDI($0, [0x90, 0x10 + $1, 0x7F]) },
      name: name,
      server: server,
    )
  }

  /// Waits until a unit has been sent a message once more.
  private func wait(for bytes: [UInt8], to unit: MIDIDevice, after count: Int) async throws {
    try await waitUntil("\(unit.connection.name) is filled") {
      unit.received.dropFirst(count).contains { $0.bytes == bytes }
    }
  }

  private func wait(_ path: String, _ isOn: Bool, _ rig: ControllerRig) async throws {
    try await waitUntil("\(path) is \(isOn)") { try await rig.value(path) == .flag(isOn) }
  }

  @Test(.jackServer(frames: 256))
  func `a desk comes, gets another unit, changes its device and goes`() async throws {
    try await ControllerRig.with { rig in
      let main = try Self.unit("Main Desk", mutes: [0, 1, 0], server: rig.server)
      let side = try Self.unit("Side Desk", mutes: [0, 1], server: rig.server)
      #expect(main.received.isEmpty)
      try await rig.apply(surfaces: "{mackie: [{device: Main Desk}]}")
      try await wait(for: Self.decks, to: main, after: 0)
      main.start(upTo: 1)
      try await wait("/strip/deck-a/mute", true, rig)
      #expect(side.received.isEmpty)

      // An extender on the left shows the decks; the main unit has the strips behind them, of which there are none.
      var count = main.received.count
      try await rig.apply(
        surfaces: "{mackie: [{device: Side Desk, extender: true}, {device: Main Desk}]}"
      )
      try await wait(for: Self.names(["deck-a", "deck-b"], kind: 0x15), to: side, after: 0)
      try await wait(for: Self.names([]), to: main, after: count)
      side.start(upTo: 1)
      try await wait("/strip/deck-a/mute", false, rig)

      // The device that was an extender is the only unit; the other one is not heard any more.
      let sent = side.received.count
      try await rig.apply(surfaces: "{mackie: [{device: Side Desk}]}")
      try await wait(for: Self.decks, to: side, after: sent)
      count = main.received.count
      main.start(upTo: 2)
      side.start(upTo: 2)
      try await wait("/strip/deck-b/mute", true, rig)
      try await waitUntil("the lamp of mute") {
        side.received.last { $0.bytes.starts(with: [0x90, 0x11]) }?.bytes[2] == 0x7F
      }
      #expect(main.received.count == count)

      // Something else changes: the desk is not filled again.
      let filled = side.received.count { $0.bytes == Self.decks }
      try await rig.apply(
        controls: ", cue: {to: main}",
        surfaces: "{mackie: [{device: Side Desk}]}"
      )
      try await rig.set("/strip/deck-b/mute", .flag(false))
      try await waitUntil("the lamp of mute is off") {
        side.received.last { $0.bytes.starts(with: [0x90, 0x11]) }?.bytes[2] == 0
      }
      #expect(side.received.count { $0.bytes == Self.decks } == filled)

      try await rig.apply()
      try await waitUntil("the ports are gone") {
        try main.connection.ports().allSatisfy { !$0.name.contains("mackie") }
      }
      #expect(await rig.reports().isEmpty)
      main.close()
      side.close()
    }
  }
}
