// SPDX-License-Identifier: MIT

import ControlProtocol
import GraphFiles
import Testing

@testable import Surfaces

@Suite("A controller's messages")
struct ControllerUnitTests {
  private static let lights = 4

  /// A plugged controller with a light for each of some switches.
  private static func unit(perSecond: Int?) -> (ControllerUnit, ScriptedController) {
    var controller = GraphFile.Controller(name: "box", device: .name("Box"))
    controller.messagesPerSecond = perSecond
    controller.mappings = (0..<lights).map {
      ControlMapping(MIDIControl(.note(UInt8($0)), channel: 0), .parameter("/strip/\($0)/cue"))
    }
    var unit = ControllerUnit(controller)
    for index in unit.controls.indices {
      unit.controls[index].describe(
        ParameterDescription(
          path: unit.controls[index].path,
          type: .flag,
          access: .readWrite,
          description: "cue",
          value: .flag(false),
        )
      )
    }
    let port = ScriptedController()
    unit.plug(port)
    return (unit, port)
  }

  private static func values(_ isOn: Bool) -> [String: ParameterValue] {
    Dictionary(uniqueKeysWithValues: (0..<lights).map { ("/strip/\($0)/cue", .flag(isOn)) })
  }

  @Test("the path of a mapping may be typed as it is shown")
  func typedPath() {
    var controller = GraphFile.Controller(name: "box", device: .name("Box"))
    controller.mappings = [
      ControlMapping(MIDIControl(.note(1), channel: 0), .parameter("/strip/Плеер/cue"))
    ]
    var unit = ControllerUnit(controller)
    let path = "/strip/%D0%9F%D0%BB%D0%B5%D0%B5%D1%80/cue"
    #expect(unit.paths == [path])
    unit.take(controller)
    #expect(unit.controls.map(\.path) == [path])
  }

  @Test("without a pace a round shows all")
  func unlimited() {
    var (unit, port) = Self.unit(perSecond: nil)
    unit.show(Self.values(false), at: 0)
    #expect(port.sent.count == Self.lights)
  }

  @Test(
    "50 messages a second are one each 20 ms, 200 are two in a round of 10 ms",
    arguments: [50, 200]
  )
  func pace(perSecond: Int) {
    var (unit, port) = Self.unit(perSecond: perSecond)
    var counts: [Int] = []
    for round in 0..<8 {
      unit.show(Self.values(false), at: Double(round) * MessagePace.roundMilliseconds)
      counts.append(port.sent.count)
    }
    #expect(counts == (perSecond == 50 ? [1, 1, 2, 2, 3, 3, 4, 4] : [2, 4, 4, 4, 4, 4, 4, 4]))
  }

  @Test(
    "a light that changes all the time does not keep the others dark, and each gets its latest value"
  )
  func fairness() {
    var (unit, port) = Self.unit(perSecond: 100)
    unit.show(Self.values(false), at: 0)
    var time = 0.0
    for round in 1...20 {
      time += MessagePace.roundMilliseconds
      unit.controls[0].needsShowing = true
      var values = Self.values(true)
      values["/strip/0/cue"] = .flag(round.isMultiple(of: 2))
      unit.show(values, at: time)
    }
    let latest = (0..<UInt8(Self.lights)).map { note in port.sent.last { $0[1] == note }?[2] }
    #expect(latest.dropFirst().allSatisfy { $0 == 127 })
    #expect(port.sent.count <= 21)
  }

  @Test("a row of lights shows the loudest channel of a meter, which a control never sets")
  func meters() throws {
    var controller = GraphFile.Controller(name: "box", device: .name("Box"))
    var meter = ControlMapping(
      MIDIControl(.controlChange(2), channel: 0),
      .parameter("/strip/a/level")
    )
    meter.feedback = ControlMapping.Feedback(meter.control)
    meter.from = -40
    controller.mappings = [meter]
    var unit = ControllerUnit(controller)
    #expect(unit.paths == [], "nobody sees it")
    let port = ScriptedController()
    unit.plug(port)
    #expect(unit.paths == ["/strip/a/level"])
    unit.controls[0].describe(
      ParameterDescription(
        path: "/strip/a/level",
        type: .numbers,
        unit: "dB",
        access: .read,
        description: "level",
        value: .numbers([]),
      )
    )
    let levels: [[Double]] = [[], [-20, -.infinity], [-60, -30], [0, 3], [.nan]]
    for (round, levels) in levels.enumerated() {
      unit.controls[0].needsShowing = true
      unit.show(["/strip/a/level": .numbers(levels)], at: Double(round) * 100)
    }
    #expect(port.sent == [0, 64, 32, 127, 0].map { [0xB0, 2, $0] })
    let moves = unit.moves(in: [0xB0, 2, 100])
    let change = unit.controls[0].change(by: moves[0], present: .numbers([-20]), at: 0)
    #expect(change == nil)
  }
}
