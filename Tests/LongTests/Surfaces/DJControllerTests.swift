// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import TestSupport
import Testing

@testable import EndToEndSupport

/// The shipped graph for a DJ controller, played on a scripted DDJ-400 as a DJ would.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct DJControllerTests {
  /// A 14-bit move, upper bits first.
  private static func move(_ channel: UInt8, _ number: UInt8, to value: Int) -> [[UInt8]] {
    let status = 0xB0 | (channel - 1)
    return [
      [status, number, UInt8(value >> 7)], [status, number + 32, UInt8(value & 0x7F)],
    ]
  }

  /// A move through a range, in 30 steps of 5 ms.
  private static func sweep(
    _ channel: UInt8,
    _ number: UInt8,
    _ values: (from: Int, to: Int),
    atMilliseconds start: Int,
  ) -> [TimedMIDI] {
    (0...30).flatMap { step in
      let value = values.from + (values.to - values.from) * step / 30
      return move(channel, number, to: value).map {
        TimedMIDI((start + step * 5) * 48, $0)
      }
    }
  }

  private static func button(_ channel: UInt8, _ note: UInt8, atMilliseconds start: Int)
    -> [TimedMIDI]
  {
    let status = 0x90 | (channel - 1)
    return [
      TimedMIDI(start * 48, [status, note, 127]), TimedMIDI((start + 80) * 48, [status, note, 0]),
    ]
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func
    `cue, headphones, channel faders and crossfader do what their names say, and the meters light up`()
    async throws
  {
    let scratch = try Scratch()
    let server = try testServer().name
    let host = try await HostProcess.running(
      graph: Repository.path("graphs/dj-controller.yaml"),
      server: server,
      arguments: ["--no-start-server"],
      in: scratch,
    )
    let control = try await host.control()
    let paths = [
      "/crossfader/position", "/strip/deck-a/cue", "/strip/deck-b/cue", "/route/headphones/gain",
      "/strip/deck-a/gain",
    ]
    func values() async throws -> [ParameterValue] {
      try await control.call(GetParameters.self, .init(paths: paths)).values.map(\.value)
    }
    let top = 16_383
    let device = try MIDIDevice(
      // The next record in the headphones, then louder there, then across with the crossfader.
      Self.button(1, 84, atMilliseconds: 0) + Self.button(2, 84, atMilliseconds: 100)
        + Self.sweep(7, 13, (0, top), atMilliseconds: 200)
        + Self.sweep(1, 19, (0, top), atMilliseconds: 400)
        + Self.sweep(7, 31, (0, top), atMilliseconds: 600),
      name: "DDJ-400",
      server: server,
    )
    func latest(_ status: UInt8, _ number: UInt8) -> UInt8? {
      device.received.last { $0.bytes[0] == status && $0.bytes[1] == number }?.bytes[2]
    }
    try await waitUntil("the lights show the graph's cue") {
      latest(0x90, 84) == 0 && latest(0x91, 84) == 127
    }
    try await waitUntil("both meters are lit") {
      (latest(0xB0, 2) ?? 0) > 0 && (latest(0xB1, 2) ?? 0) > 0
    }
    device.start()
    let expected: [ParameterValue] = [
      .number(1), .flag(true), .flag(false), .number(0), .number(10),
    ]
    var found: [ParameterValue] = []
    for _ in 0..<150 where found != expected {
      found = try await values()
      // The script takes 800 ms.
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(found == expected)
    try await waitUntil("the lights follow") { latest(0x90, 84) == 127 && latest(0x91, 84) == 0 }
    device.close()
    await control.close()
    #expect(try await host.stop() == .code(0))
  }
}
