// SPDX-License-Identifier: MIT

import GraphFiles
import TestSupport
import Testing

@testable import Surfaces

@Suite("Messages of controllers")
struct ControllerParserTests {
  private static func texts(_ messages: [[UInt8]]) -> [String] {
    var parser = ControllerParser()
    return messages.flatMap { parser.moves(in: $0) }.map { "\($0.control) = \($0.value)" }
  }

  @Test("MID-3 notes, bends and programs are moves of their controls")
  func plain() {
    let texts = Self.texts([
      [0x90, 60, 100], [0x90, 60, 0], [0x81, 11, 64], [0xE0, 0, 0x40], [0xEF, 0x7F, 0x7F],
      [0xC2, 3],
    ])
    #expect(
      texts == [
        "note 1/60 = 100", "note 1/60 = 0", "note 2/11 = 0", "bend 1 = 8192", "bend 16 = 16383",
        "program 3/3 = 127",
      ]
    )
  }

  @Test(
    "MID-1 a pair counts from its first lower half on at the lower half, before that at the upper"
  )
  func pairs() {
    let texts = Self.texts([[0xB0, 19, 127], [0xB0, 51, 1], [0xB0, 19, 64], [0xB0, 51, 2]])
    #expect(
      texts.filter { $0.hasPrefix("cc14") }
        == ["cc14 1/19 = 16383", "cc14 1/19 = 16257", "cc14 1/19 = 8194"]
    )
  }

  /// The messages of a fader that goes through these values, in one of the two orders of the halves.
  private static func sweep(_ values: [Int], upperFirst: Bool, _ upper: UInt8, _ lower: UInt8)
    -> [[UInt8]]
  {
    values.flatMap { value in
      let halves: [[UInt8]] = [
        [0xB0, upper, UInt8(value >> 7)], [0xB0, lower, UInt8(value & 0x7F)],
      ]
      return upperFirst ? halves : halves.reversed()
    }
  }

  @Test(
    "MID-1, MID-2 both orders of the halves are found, and each value of a fader is reached",
    arguments: [true, false],
    [19, 6],
  )
  func orders(upperFirst: Bool, upper: UInt8) {
    let down = Array(stride(from: 16_383, through: 0, by: -37)) + [0]
    let up = Array(stride(from: 0, through: 16_383, by: 37)) + [16_383]
    var parser = ControllerParser()
    for bytes: [UInt8] in [[0xB0, 99, 7], [0xB0, 98, 104]] { _ = parser.moves(in: bytes) }
    let kind: MIDIControl.Kind = upper == 6 ? .nonRegistered(1_000) : .controlChangePair(upper)
    func reached(_ messages: [[UInt8]]) -> [Int] {
      messages.flatMap { parser.moves(in: $0) }.filter { $0.control.kind == kind }.map(\.value)
    }
    for values in [down, up, down] {
      let found = reached(Self.sweep(values, upperFirst: upperFirst, upper, upper + 32))
      // The very first upper half may be all that a controller sends.
      #expect(found.suffix(values.count - 1) == values.suffix(values.count - 1)[...])
    }
  }

  @Test(
    "MID-1 the order is found in a movement that is heard from its middle",
    arguments: [true, false],
  )
  func middle(upperFirst: Bool) {
    let values = Array(stride(from: 5_000, through: 0, by: -10)) + [0]
    let messages = Self.sweep(values, upperFirst: upperFirst, 19, 51).dropFirst()
    let texts = Self.texts(Array(messages)).filter { $0.hasPrefix("cc14") }
    #expect(texts.last == "cc14 1/19 = 0")
    #expect(texts.suffix(300) == values.suffix(300).map { "cc14 1/19 = \($0)" }[...])
  }

  @Test("MID-4, MID-T1 the parameter number 1000 has the value 8192")
  func nonRegistered() {
    let bytes: [[UInt8]] = [
      [0xB0, 0x63, 7], [0xB0, 0x62, 0x68], [0xB0, 6, 0x40], [0xB0, 0x26, 0], [0xB0, 0x65, 0x7F],
      [0xB0, 0x64, 0x7F],
    ]
    #expect(Self.texts(bytes).filter { $0.hasPrefix("nrpn") }.last == "nrpn 1/1000 = 8192")
    let control = MIDIControl(.nonRegistered(1_000), channel: 0)
    #expect(control.messages(showing: 8_192) == bytes)
  }

  @Test("MID-2 after the null number data changes no parameter, increments count by one")
  func numbers() {
    let texts = Self.texts([
      [0xB1, 101, 0], [0xB1, 100, 5], [0xB1, 6, 1], [0xB1, 38, 2], [0xB1, 96, 0], [0xB1, 97, 0],
      [0xB1, 101, 127], [0xB1, 100, 127], [0xB1, 6, 9],
    ])
    #expect(
      texts.filter { $0.hasPrefix("rpn") }
        == ["rpn 2/5 = 129", "rpn 2/5 = 130", "rpn 2/5 = 131", "rpn 2/5 = 130"]
    )
  }

  @Test("running status is understood, broken messages are counted, others are nothing")
  func garbage() {
    var parser = ControllerParser()
    #expect(parser.moves(in: [5, 6]) == [])
    #expect(parser.moves(in: [0xB0, 7, 1]).count == 2)
    #expect(parser.moves(in: [7, 2]).count == 2)
    #expect(parser.moves(in: [0xF8]) == [])
    #expect(parser.moves(in: [7, 3]).count == 2)
    #expect(parser.moves(in: [0xF0, 1, 2, 0xF7]) == [])
    #expect(parser.moves(in: [7, 2]) == [])
    #expect(parser.moves(in: []) == [])
    #expect(parser.moves(in: [0xB0, 7]) == [])
    #expect(parser.moves(in: [0xB0, 0x87, 1]) == [])
    #expect(parser.moves(in: [0xD0, 7]) == [])
    #expect(parser.brokenMessages == 5)
  }

  @Test("100,000 random messages do no harm")
  func random() {
    var parser = ControllerParser()
    var random = TestSeed.random()
    var moves = 0
    for _ in 0..<100_000 {
      let length = Int.random(in: 0...4, using: &random)
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      for move in parser.moves(in: bytes) {
        moves += 1
        #expect((0...move.control.highestValue).contains(move.value))
      }
    }
    #expect(moves > 0)
  }

  @Test(
    "what a control shows is read back as the same value",
    arguments: [
      "cc 1/7", "cc14 3/31", "nrpn 2/1000", "rpn 16/0", "note 4/127", "bend 5",
    ]
  )
  func roundTrip(text: String) throws {
    let control = try MIDIControl(text)
    for value in [0, 1, 63, 64, 127, control.highestValue / 2, control.highestValue]
    where value <= control.highestValue {
      var parser = ControllerParser()
      let moves = control.messages(showing: value).flatMap { parser.moves(in: $0) }
      #expect(moves.last { control.takes($0) }?.value == value)
    }
  }

  @Test("MID-10 the three encodings of encoders")
  func encoders() {
    let twos = MIDIControl.RelativeEncoding.twosComplement
    #expect([1, 63, 127, 64, 0].map(twos.steps) == [1, 63, -1, -64, 0])
    let offset = MIDIControl.RelativeEncoding.binaryOffset
    #expect([65, 127, 63, 0, 64].map(offset.steps) == [1, 63, -1, -64, 0])
    let sign = MIDIControl.RelativeEncoding.signMagnitude
    #expect([1, 63, 65, 127, 0, 64].map(sign.steps) == [1, 63, -1, -63, 0, 0])
  }
}
