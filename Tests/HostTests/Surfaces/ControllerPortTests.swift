// SPDX-License-Identifier: MIT

import ControlProtocol
import GraphFiles
import JACK
import Surfaces
import TestSupport
import Testing

@testable import Host

/// MIDI controllers on a real server: at their frames, without loss, and back after they were unplugged.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ControllerPortTests {
  private static let fader = ControllerDevice(name: "fader", ports: .words("Fader Box"))

  @Test(.jackServer(frames: 64), arguments: [DirectControl.Kind.controlChange(7), .pitchBend])
  func `a fader moves the crossfader at the frame of its message`(
    kind: DirectControl.Kind
  ) async throws {
    try await Self.expectMove(kind)
  }

  @Test(.jackServer(frames: 1024))
  func `a fader moves the crossfader at its frame within a long period`() async throws {
    try await Self.expectMove(.controlChange(7))
  }

  @Test(.jackServer(frames: 256))
  func `MID-1 a pair of control changes moves the crossfader at its lower bits`() async throws {
    try await Self.expectMove(.controlChangePair(7))
  }

  /// Moves the crossfader from A to B by one message.
  private static func expectMove(_ kind: DirectControl.Kind) async throws {
    try await ControllerRig.with([fader]) { rig in
      let frame = 5_001
      let ramp = 240
      let stream: [TimedMIDI] =
        switch kind {
        case .controlChange(let number): [TimedMIDI(frame, [0xB2, number, 127])]
        case .pitchBend: [TimedMIDI(frame, [0xE2, 0x7F, 0x7F])]
        case .controlChangePair(let number):
          [
            TimedMIDI(100, [0xB2, number, 0]), TimedMIDI(101, [0xB2, number + 32, 0]),
            TimedMIDI(frame - 300, [0xB2, number, 127]),
            TimedMIDI(frame, [0xB2, number + 32, 127]),
          ]
        }
      let device = try MIDIDevice(
        stream + [TimedMIDI(frame + 2_000, [0x92, 60, 100])],
        name: "Fader Box",
        server: rig.server,
      )
      let port = try await rig.plug(1)
      port.arm(directControl: DirectControl(kind: kind, channel: 2))
      let recorder = try Recorder(
        from: ["\(rig.client):main_out_1"],
        capacityFrames: 48_000,
        server: rig.server,
      )
      recorder.start()
      try await waitUntil("the recorder hears deck A") {
        recorder.latest(256).first?.allSatisfy { $0 == 0.5 } == true
      }
      device.start()
      let recording = try await recorder.finish()
      let first = try #require(device.firstFrame)
      try #require(recording.isContinuous)
      let at = Int(first &- recording.firstFrame) + frame
      let samples = recording.channels[0]
      try #require(at + 1_000 < samples.count)
      #expect(samples[(at - 4_000)...at].allSatisfy { $0 == 0.5 })
      #expect(samples[at + 1] < 0.5)
      #expect(samples[at + ramp - 1] > 0)
      #expect(samples[(at + ramp)...(at + 1_000)].allSatisfy { $0 == 0 })
      let steps = zip(samples, samples.dropFirst()).map { abs($0 - $1) }
      #expect(steps.max() ?? 1 <= 0.5 * 1.001 / Float(ramp))
      // All the rest of the host knows the position.
      try await waitUntil("the tree has the position") { try await rig.position() == .number(1) }
      var seen: [MIDIMessage] = []
      for await message in port.messages {
        seen.append(message)
        if message.bytes[0] == 0x92 { break }
      }
      #expect(seen.map(\.bytes) == device.sent.map(\.bytes))
      #expect(
        seen.map(\.frame) == device.sent.map { UInt64(first) + UInt64($0.frame) }
      )
      let moving = seen.filter { $0.crossfaderPosition != nil }
      #expect(moving.last?.crossfaderPosition == 1)
      #expect(moving.last?.frame == UInt64(first) + UInt64(frame))
      device.close()
      recorder.close()
    }
  }

  @Test(.jackServer(frames: 256))
  func `a control that is not armed leaves the crossfader where it is`() async throws {
    try await ControllerRig.with([Self.fader]) { rig in
      let device = try MIDIDevice(
        [TimedMIDI(10, [0xB0, 7, 127]), TimedMIDI(4_800, [0xB0, 8, 127])],
        name: "Fader Box",
        server: rig.server,
      )
      let port = try await rig.plug(1)
      port.arm(directControl: DirectControl(kind: .controlChange(7), channel: 0))
      port.arm(directControl: nil)
      device.start()
      var count = 0
      for await message in port.messages {
        #expect(message.crossfaderPosition == nil)
        count += 1
        if count == 2 { break }
      }
      #expect(try await rig.position() == .number(-1))
      device.close()
    }
  }

  @Test(.jackServer(frames: 128))
  func `a thousand messages a second come whole and in order`() async throws {
    try await ControllerRig.with([Self.fader]) { rig in
      let count = 5_000
      // A counter of 14 bits in each message, and a SysEx now and then.
      let stream = (0..<count).map { index in
        TimedMIDI(
          index * 48,
          index % 100 == 99
            ? [0xF0, 0x7D] + (0..<400).map { UInt8($0 & 0x7F) } + [0xF7]
            : [0xB0, UInt8(index >> 7), UInt8(index & 0x7F)],
        )
      }
      let device = try MIDIDevice(stream, name: "Fader Box", server: rig.server)
      let port = try await rig.plug(1)
      port.arm(directControl: DirectControl(kind: .controlChange(3), channel: 0))
      let reading = Task {
        var seen: [MIDIMessage] = []
        for await message in port.messages {
          seen.append(message)
          if seen.count == count { break }
        }
        return seen
      }
      device.start()
      let seen = await reading.value
      #expect(device.refusedCount == 0)
      let first = UInt64(try #require(device.firstFrame))
      let sent = stream.map { MIDIMessage(bytes: $0.bytes, frame: first + UInt64($0.frame)) }
      let firstWrong = zip(seen, sent).first { $0.bytes != $1.bytes || $0.frame != $1.frame }
      #expect(firstWrong == nil)
      let report = await rig.reports()[0]
      #expect(report.receivedCount == count && report.lostCount == 0)
      #expect(report.lastMessage == seen.last)
      device.close()
    }
  }

  @Test(.jackServer(frames: 256))
  func `a controller that was unplugged is there again with its lights, a hundred times`()
    async throws
  {
    try await ControllerRig.with([Self.fader]) { rig in
      var times: [Duration] = []
      for round in 1...100 {
        let clock = ContinuousClock()
        let device = try MIDIDevice(
          [TimedMIDI(0, [0xB0, 7, 1])],
          name: "Fader Box",
          server: rig.server
        )
        let start = clock.now
        let port = try await rig.plug(round)
        let light: [UInt8] = [0x90, UInt8(round), 127]
        port.send(light)
        device.start()
        try await waitUntil("round \(round): the light is lit") {
          device.received.contains { $0.bytes == light }
        }
        // Nothing of the rounds before comes late.
        #expect(device.received.map(\.bytes) == [light])
        times.append(clock.now - start)
        let message = await port.messages.first { _ in true }
        #expect(message?.bytes == [0xB0, 7, 1])
        device.close()
        for await _ in port.messages {}
        // Sending to what is gone does nothing.
        port.send([0x90, 1, 0])
      }
      let sorted = times.sorted()
      print("plugged in until lit: median \(sorted[50]), longest \(sorted[99])")
      #expect(rig.plugCount == 100)
    }
  }

  @Test(.jackServer(frames: 256))
  func `a controller hears no more than its cable carries, and all of it`() async throws {
    let slow = ControllerDevice(name: "slow", ports: .words("Fader Box"), bytesPerSecond: 3_000)
    try await ControllerRig.with([slow]) { rig in
      let device = try MIDIDevice(name: "Fader Box", server: rig.server)
      let port = try await rig.plug(1)
      let exclusive = [0xF0] + (0..<510).map { UInt8($0 & 0x7F) } + [0xF7]
      let messages: [[UInt8]] =
        (0..<300).map { [0x90, UInt8($0 & 0x7F), UInt8($0 >> 7)] } + [exclusive]
        + (0..<100).map { [0xC0, UInt8($0)] }
      for message in messages { port.send(message) }
      // Longer than any message may be: it is dropped, and nothing else.
      port.send(exclusive + [0xF7])
      try await waitUntil("all messages are there") { device.received.count == messages.count }
      #expect(device.received.map(\.bytes) == messages)
      var end = 0
      for message in device.received {
        #expect(message.frame >= end)
        end = message.frame + message.bytes.count * 48_000 / 3_000
      }
      #expect(await rig.reports()[0].lostCount == 1)
      device.close()
    }
  }

  @Test(.jackServer(frames: 256))
  func `a device that only has lights is connected too`() async throws {
    try await ControllerRig.with([Self.fader]) { rig in
      let device = try MIDIDevice(
        name: "Fader Box",
        ports: (sends: nil, receives: "lights"),
        server: rig.server,
      )
      let port = try await rig.plug(1)
      port.send([0x90, 1, 127])
      try await waitUntil("a light is lit") { device.received.map(\.bytes) == [[0x90, 1, 127]] }
      #expect(await rig.reports()[0].destinations == ["Fader Box:lights"])
      device.close()
      for await _ in port.messages {}
      #expect(await rig.reports()[0].device == nil)
    }
  }

  @Test(.jackServer(frames: 256))
  func
    `MID-31 MID-43 each controller gets ports of its own, the way back its twin, and a removed connection stays away`()
    async throws
  {
    let devices = [
      ControllerDevice(name: "left", ports: .words("pad")),
      ControllerDevice(name: "right", ports: .words("PAD")),
      ControllerDevice(name: "keys", ports: .matching(try PortPattern("keys.*MIDI [0-9]"))),
    ]
    try await ControllerRig.with(devices) { rig in
      let first = try MIDIDevice(name: "Pad", server: rig.server)
      let second = try MIDIDevice(name: "Pad B", server: rig.server)
      let keys = try MIDIDevice(
        name: "keys",
        ports: (sends: "MIDI 2 (capture)", receives: nil),
        server: rig.server,
      )
      _ = try await rig.plug(3)
      try await waitUntil("both pads are heard and hear") {
        await rig.reports().prefix(2).allSatisfy {
          $0.sources.count == 1 && $0.destinations.count == 1
        }
      }
      let reports = await rig.reports()
      #expect(
        Set(reports.prefix(2).flatMap(\.sources)) == ["Pad:MIDI 1 (out)", "Pad B:MIDI 1 (out)"]
      )
      for report in reports.prefix(2) {
        let client = report.sources[0].split(separator: ":")[0]
        #expect(report.destinations == ["\(client):MIDI 1 (in)"])
      }
      #expect(reports[2].device == "keys MIDI 2" && reports[2].destinations.isEmpty)
      #expect(reports[2].inputPort == "\(rig.client):keys_midi_in")
      try keys.connection.disconnect("keys:MIDI 2 (capture)", from: reports[2].inputPort)
      try await waitUntil("the keys are unplugged") { await rig.reports()[2].device == nil }
      // Another port comes, which has the host look again.
      let third = try MIDIDevice(name: "other", server: rig.server)
      let other = try MIDIDevice(name: "keys two MIDI 3", server: rig.server)
      _ = try await rig.plug(4)
      #expect(await rig.reports()[2].sources == ["keys two MIDI 3:MIDI 1 (out)"])
      for device in [first, second, keys, third, other] { device.close() }
    }
  }
}
