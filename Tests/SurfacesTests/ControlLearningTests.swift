// SPDX-License-Identifier: MIT

import GraphFiles
import Testing

@testable import Surfaces

@Suite("Learning controls")
struct ControlLearningTests {
  /// The control that these messages teach, with its touch.
  private static func learned(_ messages: [[UInt8]]) -> ControlLearning.Finding? {
    var parser = ControllerParser()
    var learning = ControlLearning()
    for (index, message) in messages.enumerated() {
      _ = learning.take(parser.moves(in: message), from: "box", at: Double(index))
    }
    return learning.finding(at: Double(messages.count) + 600)
  }

  private static func changes(_ values: [UInt8]) -> [[UInt8]] { values.map { [0xB0, 20, $0] } }

  @Test(
    "MID-11 a control change is a fader, a button or an encoder by its values",
    arguments: [
      ([60, 61, 62, 63, 64, 65], "cc 1/20"), ([0, 10, 60, 127], "cc 1/20"), ([127, 0], "cc 1/20"),
      ([1, 2, 1, 127, 126], "relative 1/20 twos-complement"),
      ([65, 66, 65, 63, 62], "relative 1/20 binary-offset"),
      ([1, 2, 65, 66], "relative 1/20 sign-magnitude"), ([1, 1, 1, 1], nil), ([65, 65, 65], nil),
    ] as [([UInt8], String?)]
  )
  func kinds(values: [UInt8], text: String?) {
    #expect(Self.learned(Self.changes(values))?.control.description == text)
  }

  @Test("a pair, a parameter number, a bend and a note are known by their messages")
  func others() {
    #expect(Self.learned([[0xB6, 31, 5], [0xB6, 63, 9]])?.control.description == "cc14 7/31")
    #expect(
      Self.learned([[0xB0, 99, 7], [0xB0, 98, 104], [0xB0, 6, 1], [0xB0, 38, 2]])?.control
        .description == "nrpn 1/1000"
    )
    #expect(Self.learned([[0xE4, 0, 1], [0xE4, 0, 2]])?.control.description == "bend 5")
    #expect(Self.learned([[0x91, 84, 127], [0x91, 84, 0]])?.control.description == "note 2/84")
    #expect(Self.learned([]) == nil)
  }

  @Test("a motor fader is learned with its touch")
  func touch() {
    let found = Self.learned([[0x90, 104, 127], [0xE0, 0, 1], [0xE0, 0, 2], [0x90, 104, 0]])
    #expect(found?.control.description == "bend 1")
    #expect(found?.touch?.description == "note 1/104")
  }

  @Test("a control that still moves is not taken yet")
  func moving() {
    var learning = ControlLearning()
    var parser = ControllerParser()
    _ = learning.take(parser.moves(in: [0xB0, 7, 10]), from: "box", at: 0)
    #expect(learning.finding(at: 100) == nil)
    #expect(learning.finding(at: 500) != nil)
  }
}
