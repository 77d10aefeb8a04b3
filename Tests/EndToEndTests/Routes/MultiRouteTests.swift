// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import JACK
import Sessions
import TestSupport
import Testing

@testable import EndToEndSupport

/// Several devices at once, coming and going.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct MultiRouteTests {
  @Test(
    "CAT-2, CAT-4: USB, HDMI, line out and headphones play at once, down to single channels",
    .steppedServer(frames: 256, channels: 1),
  )
  func pairs() async throws {
    let scratch = try Scratch()
    let names = ["usb", "hdmi", "phones"].map { Scratch.uniqueName($0) }
    let devices = try zip(names, [1, 1, 2]).map { try FakeDevices.plugIn($0, channels: $1) }
    let show = try await DeviceShow(
      """
        usb: {ports: ["\(names[0]):in_1"]}
        screen: {type: HDMI, ports: ["\(names[1]):in_1"]}
        line: {type: lineOut, ports: [system:playback_1]}
        phones: {type: headphones, ports: ["\(names[2]):in_1", "\(names[2]):in_2"]}
      """,
      mix: """
          - {from: d1, to: usb}
          - {from: d2, to: screen}
          - {from: d3, to: line}
          - {from: d4, to: phones, channels: [[1, 1]]}
          - {from: d5, to: phones, channels: [[1, 2]]}
        """,
      decks: 5,
      in: scratch,
    )
    let line = try Recorder(
      from: [show.host.port("line_out_1")],
      capacityFrames: 48_000,
      server: testServer().name,
    )
    line.start()
    _ = try await line.finish()
    let status = try await show.host.status()
    let heard = devices.flatMap { $0.captured.channels }
    let lineHeard = line.captured.channels[0]
    line.close()
    _ = try await show.host.stop()
    for device in devices { device.close() }

    #expect(status.routes.map(\.available) == [true, true, true, true])
    #expect(status.routes.map(\.$type) == ["usbAudio", "HDMI", "lineOut", "headphones"])
    for (samples, deck) in zip(heard, [0, 1, 3, 4]) {
      let frames = try #require(Signals.soundFrames(of: samples, inLoop: show.decks[deck]))
      #expect(frames > 40_000)
    }
    #expect(Signals.soundFrames(of: lineHeard, inLoop: show.decks[2]) == 48_000)
  }

  @Test(
    "CAT-5, RTE-2: a third route joins while two play, and neither drops a sample",
    .steppedServer(frames: 256, channels: 1),
  )
  func join() async throws {
    let scratch = try Scratch()
    let names = ["a", "b", "c"].map { Scratch.uniqueName($0) }
    let first = try FakeDevices.plugIn(names[0])
    let second = try FakeDevices.plugIn(names[1])
    let show = try await DeviceShow(
      """
        a: {type: usbAudio, ports: ["\(names[0]):in_1"]}
        b: {type: headphones, ports: ["\(names[1]):in_1"]}
        c: {type: HDMI, ports: ["\(names[2]):in_1"], fallback: a}
      """,
      mix: "  - {from: d1, to: a}\n  - {from: d2, to: b}\n  - {from: d3, to: c}",
      decks: 3,
      in: scratch,
    )
    try await show.waitFor("c", available: false)
    // Until its own device is there, the third is heard on the first (and not as a device of its own).
    let waiting = try await show.host.status().routes[2]
    #expect(waiting.fallback == "a")
    try await first.pass(14_400)
    let third = try FakeDevices.plugIn(names[2])
    try await show.waitFor("c")
    try await third.pass(33_600)
    let status = try await show.host.status()
    let (b, c) = (second.captured.channels[0], third.captured.channels[0])
    let a = first.captured.channels[0].suffix(24_000)
    _ = try await show.host.stop()
    for device in [first, second, third] { device.close() }

    #expect(status.routes.allSatisfy { $0.available && $0.fallback == nil })
    #expect(show.reasons.contains(.newDeviceAvailable))
    let secondFrames = try #require(Signals.soundFrames(of: b, inLoop: show.decks[1]))
    let thirdFrames = try #require(Signals.soundFrames(of: c, inLoop: show.decks[2]))
    #expect(secondFrames > 48_000 && thirdFrames > 24_000)
    // Its own deck alone again, once the third has gone home.
    #expect(Signals.soundFrames(of: Array(a), inLoop: show.decks[0]) == 24_000)
  }

  @Test(
    "routes of different latency are heard together when aligned",
    .steppedServer(frames: 256, channels: 1)
  )
  func alignment() async throws {
    let scratch = try Scratch()
    let names = ["fast", "slow"].map { Scratch.uniqueName($0) }
    let fast = try FakeDevices.plugIn(names[0])
    let slow = try FakeDevices.plugIn(names[1], latencyFrames: 1_234)
    let show = try await DeviceShow(
      """
        fast: {type: usbAudio, align: auto, ports: ["\(names[0]):in_1"]}
        slow: {type: HDMI, align: auto, ports: ["\(names[1]):in_1"]}
      """,
      mix: "  - {from: d1, to: fast}\n  - {from: d1, to: slow}",
      decks: 1,
      in: scratch,
    )
    try await waitUntil("the fast route is delayed") {
      try await show.host.status().routes[0].delayFrames == 1_234
    }
    let client = try await show.host.control()
    let routes = try await client.call(GetStatus.self).routes
    #expect(routes.map(\.alignmentErrorFrames) == [0, 0])
    #expect(routes.map(\.delayFrames) == [1_234, 0])
    // More than the delay, and than the frames from which the offset is read.
    try await fast.pass(57_600)
    try expectOffset(1_234, fast, slow, deck: show.decks[0])

    _ = try await client.call(
      SetAlignment.self,
      .init(route: "fast", mode: .manual, delayMilliseconds: 10),
    )
    try await fast.pass(57_600)
    try expectOffset(480, fast, slow, deck: show.decks[0])
    let byHand = try await client.call(GetStatus.self).routes[0]
    #expect(byHand.alignmentErrorFrames == 480 - 1_234)
    _ = try await client.call(SetAlignment.self, .init(route: "fast", mode: .free))
    try await fast.pass(57_600)
    try expectOffset(0, fast, slow, deck: show.decks[0])
    await client.close()
    _ = try await show.host.stop()
    fast.close()
    slow.close()
  }

  private func expectOffset(
    _ frames: Int,
    _ late: Recorder,
    _ early: Recorder,
    deck: [Float],
  ) throws {
    let offset = try offsetFrames(late, early, deck: deck)
    #expect(offset == frames)
  }

  /// By how many frames the first device hears the deck later than the second, at its end.
  private func offsetFrames(_ late: Recorder, _ early: Recorder, deck: [Float]) throws -> Int {
    func phase(_ recorder: Recorder) throws -> (frame: Int, position: Int) {
      let captured = recorder.captured
      let samples = captured.channels[0]
      let start = samples.count - 8_000
      let match = try #require(Signals.longestMatch(of: samples, from: start, inLoop: deck))
      #expect(match.frames == 8_000)
      return (Int(captured.firstFrame) + start, match.position)
    }
    let (first, second) = (try phase(late), try phase(early))
    // Both positions at the same frame of JACK's.
    let atSameFrame = second.position + (first.frame - second.frame)
    return ((atSameFrame - first.position) % deck.count + deck.count) % deck.count
  }
}
