// SPDX-License-Identifier: MIT

import Testing

@testable import Surfaces

@Suite struct DeviceNameTests {
  @Test(arguments: [
    ("alsa_midi:DDJ-200 DDJ-200 MIDI 1 (out)", "DDJ-200 MIDI 1"),
    ("alsa_midi:nanoKONTROL2 MIDI 1 (in)", "nanoKONTROL2 MIDI 1"),
    ("DDJ-200:DDJ-200 MIDI 1 (capture)", "DDJ-200 MIDI 1"),
    ("a2j:nanoKONTROL2 [20] (capture): [0] nanoKONTROL2 MIDI 1", "nanoKONTROL2 MIDI 1"),
    ("a2j:nanoKONTROL2 (playback): nanoKONTROL2 MIDI 1", "nanoKONTROL2 MIDI 1"),
    ("Midi-Bridge:[20:0] X-TOUCH: X-TOUCH MIDI 1 (capture)", "X-TOUCH MIDI 1"),
    ("Midi-Bridge:X-TOUCH:(capture_0) X-TOUCH MIDI 1", "X-TOUCH MIDI 1"),
    ("X-TOUCH:X-TOUCH MIDI 1", "X-TOUCH MIDI 1"),
    ("virtual keys:out", "virtual keys out"),
    ("pad:grid (left) [a]", "pad grid (left) [a]"),
    ("pad:open (left", "pad open (left"),
    ("nocolon", "nocolon"),
  ])
  func `MID-42, MID-43 a device has one name on all bridges`(port: String, name: String) {
    #expect(DeviceName(ofPort: port).text == name)
  }

  @Test func `MID-40 the number in a port's own name gives way to its aliases`() {
    let names = DeviceName.names(
      ofPort: "system:midi_capture_3",
      aliases: ["alsa_midi:BCF2000 BCF2000 MIDI 1 (out)", "BCF2000:BCF2000 MIDI 1 (capture)"],
    )
    #expect(names.map(\.text) == ["BCF2000 MIDI 1", "midi_capture_3"])
  }

  @Test func `MID-41 the number of a client that changes at each plug does not count`() {
    let first = DeviceName(ofPort: "a2j:DDJ-200 [20] (capture): [0] DDJ-200 MIDI 1")
    #expect(first == DeviceName(ofPort: "a2j:DDJ-200 [28] (capture): [0] DDJ-200 MIDI 1"))
  }

  @Test func `MID-43 the device's name counts before the port's`() {
    let name = DeviceName(ofPort: "alsa_midi:Launch Control XL MIDI 2 (out)")
    #expect(name.rank(of: "launch control xl midi 2") == 0)
    #expect(name.rank(of: "Launch  Control") == 1)
    #expect(name.rank(of: "MIDI 2") == 2)
    #expect(name.rank(of: "Launch Con") == nil)
    #expect(name.rank(of: "") == nil)
    #expect(name.rank(of: "Launch Control XL MIDI 2 and more") == nil)
  }

  @Test func `a controller's share has the middle of MIDI in its middle`() {
    #expect(
      MIDIShare.of7Bits(0) == 0 && MIDIShare.of7Bits(64) == 0.5 && MIDIShare.of7Bits(127) == 1
    )
    #expect(MIDIShare.of14Bits(0) == 0 && MIDIShare.of14Bits(16_383) == 1)
    #expect(MIDIShare.of14Bits(8_192) == 0.5)
    #expect(MIDIShare.of7Bits(-1) == 0 && MIDIShare.of7Bits(500) == 1)
    let shares = (0...127).map(MIDIShare.of7Bits)
    #expect(zip(shares, shares.dropFirst()).allSatisfy { $0 < $1 })
  }
}
