// SPDX-License-Identifier: MIT

import ControlProtocol
import TestSupport
import Testing

@testable import Surfaces

/// Messages that no Mackie Control sends.
struct MackieFuzzTests {
  private static let seeds: [[UInt8]] = [
    [0xF0, 0x00, 0x00, 0x66, 0x14, 0x01, 1, 2, 3, 4, 5, 6, 7, 0x12, 0x34, 0x56, 0x78, 0xF7],
    [0xF0, 0x00, 0x00, 0x66, 0x10, 0x03, 0xF7], [0xF0, 0x00, 0x00, 0x66, 0x14, 0x04, 0xF7],
    [0xE0, 0x70, 0x7F], [0xE8, 0x00, 0x00], [0x90, 0x68, 0x7F], [0x90, 0x10, 0x7F],
    [0x90, 0x20, 0x7F], [0x90, 0x29, 0x7F], [0x90, 0x2F, 0x7F], [0x90, 0x32, 0x7F],
    [0x90, 0x5E, 0x7F], [0xB0, 0x10, 0x01], [0xB0, 0x3C, 0x41], [0x80, 0x68, 0x00],
  ]

  @Test func `100,000 mutated messages set only allowed values, and are answered with MIDI`() {
    var random = TestSeed.random()
    var control = MackieControl(units: [MackieUnit(), MackieUnit(model: .logic, isExtender: true)])
    _ = control.react(to: .changed(Self.mixer), at: .zero)
    for unit in 0..<2 { _ = control.react(to: .plugged(unit: unit), at: .zero) }
    var count = 0
    for number in 0..<100_000 {
      let message = Self.message(&random)
      let event = MackieEvent.received(message, unit: .random(in: -1...2, using: &random))
      let now = Duration.milliseconds(number)
      var reaction = control.react(to: event, at: now)
      if number.isMultiple(of: 50) {
        let ticked = control.react(to: .tick, at: now)
        reaction.messages += ticked.messages
      }
      count += reaction.messages.count + reaction.settings.count
      for setting in reaction.settings where !Self.isAllowed(setting) {
        Issue.record("\(setting) after \(event)")
      }
      for message in reaction.messages where !Self.isMIDI(message.bytes) {
        Issue.record("\(message) after \(event)")
      }
    }
    #expect(count > 10_000)
  }

  private static func message(_ random: inout SeededRandom) -> [UInt8] {
    var bytes = seeds.randomElement(using: &random) ?? []
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      switch Int.random(in: 0...3, using: &random) {
      case 0 where !bytes.isEmpty:
        let place = Int.random(in: bytes.indices, using: &random)
        bytes[place] = .random(in: 0...255, using: &random)
      case 1 where !bytes.isEmpty:
        bytes.remove(at: .random(in: bytes.indices, using: &random))
      case 2: bytes.append(.random(in: 0...255, using: &random))
      default: bytes.insert(contentsOf: seeds.randomElement(using: &random) ?? [], at: 0)
      }
    }
    return bytes
  }

  private static var mixer: ParameterChanges {
    let strips = (0..<20).flatMap { number -> [ParameterSetting] in
      let path = "/strip/s\(number)"
      return [
        ParameterSetting(path: path + "/gain", value: .number(0)),
        ParameterSetting(path: path + "/pan", value: .number(0)),
        ParameterSetting(path: path + "/mute", value: .flag(false)),
        ParameterSetting(path: path + "/solo", value: .flag(false)),
        ParameterSetting(path: path + "/send/main/gain", value: .number(0)),
        ParameterSetting(path: path + "/level", value: .numbers([-3, 1])),
      ]
    }
    let others = [
      ParameterSetting(path: "/route/main/gain", value: .number(0)),
      ParameterSetting(path: "/recorder/set/recording", value: .flag(false)),
      ParameterSetting(path: "/transport/rolling", value: .flag(false)),
      ParameterSetting(path: "/transport/position", value: .number(0)),
    ]
    return ParameterChanges(changes: strips + others, removed: [])
  }

  private static func isAllowed(_ setting: ParameterSetting) -> Bool {
    switch setting.value {
    case .number(let number):
      if setting.path.hasSuffix("/gain") { return number <= 10 }
      if setting.path.hasSuffix("/pan") { return (-1...1).contains(number) }
      return setting.path == "/transport/position" && number >= 0 && number.isFinite
    case .flag:
      return ["mute", "solo", "recording", "rolling"].contains { setting.path.hasSuffix("/" + $0) }
    case .text, .numbers: return false
    }
  }

  private static func isMIDI(_ bytes: [UInt8]) -> Bool {
    guard let status = bytes.first, status >= 0x80 else { return false }
    switch status {
    case 0xF0: return bytes.last == 0xF7 && bytes.dropFirst().dropLast().allSatisfy { $0 < 0x80 }
    case 0xD0: return bytes.count == 2 && bytes[1] < 0x80
    default: return bytes.count == 3 && bytes.dropFirst().allSatisfy { $0 < 0x80 }
    }
  }
}
