// SPDX-License-Identifier: MIT

import ControlProtocol
import FoundationEssentials
import Testing

@testable import Surfaces

/// A recorded session with a Mackie Control, answered byte for byte.
struct MackieSessionTests {
  /// Something that happens in the session, and the answer that is expected.
  private struct Step {
    let place: Int
    let line: Substring
    var messages: [String] = []
    var settings: [String] = []
  }

  @Test
  func
    `MCU-1, MCU-10, MCU-11, MCU-12, MCU-30, MCU-41 a recorded session is answered byte for byte`()
    throws
  {
    let steps = try Self.steps()
    #expect(steps.count > 50)
    var control = MackieControl(
      units: [MackieUnit()],
      order: MackieOrder(strips: ["deck-a", "deck-b", "mic"], routes: ["main", "phones"]),
    )
    var now = Duration.zero
    for step in steps {
      let event = try #require(Self.event(step.line, now: &now), "line \(step.place)")
      let reaction = control.react(to: event, at: now)
      let messages = reaction.messages.map { Self.hex($0.bytes) }
      #expect(messages == step.messages, "line \(step.place): \(step.line)")
      #expect(reaction.settings.count == step.settings.count, "line \(step.place): \(step.line)")
      for (setting, expected) in zip(reaction.settings, step.settings) {
        #expect(Self.isSame(setting, expected), "line \(step.place): \(setting), not \(expected)")
      }
    }
  }

  private static func steps() throws -> [Step] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let text = try String(contentsOf: folder.appending(path: "MackieSession.txt"), encoding: .utf8)
    var steps: [Step] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      switch line.first {
      case nil, "#": continue
      case "<": steps[steps.count - 1].messages.append(String(line.dropFirst(2)))
      case "=": steps[steps.count - 1].settings.append(String(line.dropFirst(2)))
      default: steps.append(Step(place: index + 1, line: line))
      }
    }
    return steps
  }

  private static func event(_ line: Substring, now: inout Duration) -> MackieEvent? {
    let words = line.split(separator: " ")
    switch words.first {
    case "@":
      guard let milliseconds = words.last.flatMap({ Int($0) }) else { return nil }
      now = .milliseconds(milliseconds)
      return .tick
    case "plug": return .plugged(unit: 0)
    case "leave": return .leaving
    case "notice": return .notice(String(line.dropFirst(7)))
    case ">": return .received(words.dropFirst().compactMap { UInt8($0, radix: 16) }, unit: 0)
    case "!" where words.count > 2:
      let setting = ParameterSetting(path: String(words[1]), value: value(of: words))
      return .changed(ParameterChanges(changes: [setting], removed: []))
    default: return nil
    }
  }

  private static func value(of words: [Substring]) -> ParameterValue {
    if words[1].hasSuffix("/why") { return .text(words.dropFirst(2).joined(separator: " ")) }
    let numbers = words.dropFirst(2).compactMap { Double($0) }
    if words[1].hasSuffix("/level") { return .numbers(numbers) }
    return numbers.first.map { .number($0) } ?? .flag(words[2] == "on")
  }

  private static func isSame(_ setting: ParameterSetting, _ expected: String) -> Bool {
    let words = expected.split(separator: " ")
    guard words.count == 2, words[0] == setting.path else { return false }
    switch setting.value {
    case .number(let number):
      guard let wanted = Double(words[1]) else { return false }
      return number == wanted || abs(number - wanted) < 1e-6
    case .flag(let flag): return words[1] == (flag ? "on" : "off")
    case .text, .numbers: return false
    }
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
      .joined(separator: " ")
  }
}
