// SPDX-License-Identifier: MIT

import ControlProtocol
import OSC
import Surfaces
import Testing

@Suite
struct OSCMappingTests {
  private static let gain = ParameterDescription(
    path: "/strip/a/gain",
    type: .number,
    minimum: -.infinity,
    maximum: 24,
    unit: "dB",
    taper: .fader,
    access: .readWrite,
    description: "",
    value: .number(0),
  )
  private static let mute = ParameterDescription(
    path: "/strip/a/mute",
    type: .flag,
    access: .readWrite,
    description: "",
    value: .flag(false),
  )
  private static let alignment = ParameterDescription(
    path: "/route/main/alignment",
    type: .text,
    choices: ["auto", "manual"],
    access: .readWrite,
    description: "",
    value: .text("auto"),
  )

  @Test func `OQ-10 silence is -144 on the way out, and all that is as low on the way in`() throws {
    #expect(OSCMapping.values(of: .number(-.infinity)) == [.float(-144)])
    #expect(OSCMapping.values(of: .numbers([-.infinity, -6])) == [.float(-144), .float(-6)])
    for silence in [
      OSCValue.float(-144), .double(-200), .float(-.infinity), .text("-inf"), .integer(-144),
    ] {
      #expect(try OSCMapping.value([silence], for: Self.gain) == .number(-.infinity))
    }
  }

  @Test func `OSC-11 a number is taken from all numeric types, and clamped to the range`() throws {
    #expect(try OSCMapping.value([.float(-6.5)], for: Self.gain) == .number(-6.5))
    #expect(try OSCMapping.value([.integer(-6)], for: Self.gain) == .number(-6))
    #expect(try OSCMapping.value([.long(-6)], for: Self.gain) == .number(-6))
    #expect(try OSCMapping.value([.double(99)], for: Self.gain) == .number(24))
  }

  @Test(arguments: [
    OSCValue.float(.nan), .double(.nan), .float(.infinity), .flag(true), .text("x"),
  ])
  func `OQ-10 a number that is none is refused`(value: OSCValue) {
    #expect(throws: OSCError.self) { try OSCMapping.value([value], for: Self.gain) }
    #expect(throws: OSCError.self) { try OSCMapping.gain(atPosition: [value]) }
  }

  @Test(arguments: [
    (OSCValue.integer(1), true), (.integer(0), false), (.float(0.5), true), (.float(0.49), false),
    (.flag(true), true), (.flag(false), false), (.text("on"), true), (.text("off"), false),
  ])
  func `OSC-11 a switch is taken from numbers, T and F, and words`(value: OSCValue, isOn: Bool)
    throws
  {
    #expect(try OSCMapping.value([value], for: Self.mute) == .flag(isOn))
  }

  @Test func `switches are sent as numbers, or as types where a client wants that`() {
    #expect(OSCMapping.values(of: .flag(true)) == [.integer(1)])
    #expect(OSCMapping.values(of: .flag(true), switches: .tags) == [.flag(true)])
  }

  @Test func `a text must be one of the choices`() throws {
    #expect(try OSCMapping.value([.text("manual")], for: Self.alignment) == .text("manual"))
    #expect(throws: OSCError.self) { try OSCMapping.value([.text("x")], for: Self.alignment) }
    #expect(throws: OSCError.self) { try OSCMapping.value([.integer(1)], for: Self.alignment) }
  }

  @Test func `XA-T1 a fader stands beside each gain, with the one travel`() throws {
    #expect(OSCMapping.faderPath(of: Self.gain) == "/strip/a/fader")
    #expect(OSCMapping.faderPath(of: Self.mute) == nil)
    #expect(OSCMapping.position(of: .number(0)) == [.float(0.75)])
    #expect(try OSCMapping.gain(atPosition: [.float(0.5)]) == .number(-10))
    #expect(try OSCMapping.gain(atPosition: [.integer(0)]) == .number(-.infinity))
  }

  @Test func `levels fit into a blob of big-endian floats`() {
    #expect(
      OSCMapping.blob(of: .numbers([1, -.infinity])) == [
        .blob([0x3F, 0x80, 0, 0, 0xC3, 0x10, 0, 0])
      ]
    )
  }
}
