// SPDX-License-Identifier: MIT

import Sessions
import Testing

@Suite("PRE: presets")
struct PRETests {
  struct Row: Sendable, CustomTestStringConvertible {
    let preset: Preset
    let configurations: [SessionConfiguration]
    let end: Reactions.InterruptionEnd
    let unplug: Reactions.Unplug
    var testDescription: String { preset.rawValue }
  }

  static let table = [
    Row(
      preset: .game,
      configurations: [.ambience, SessionConfiguration()],
      end: .resume,
      unplug: .ignore
    ),
    Row(
      preset: .player,
      configurations: [.mixing, .make(.playAndRecord, options: .mixWithOthers), .recording],
      end: .resumeIfPlaying,
      unplug: .pause
    ),
    Row(preset: .voip, configurations: [.call], end: .stayInactive, unplug: .ignore),
    Row(
      preset: .measurement,
      configurations: [.make(.playAndRecord, mode: .measurement)],
      end: .resume,
      unplug: .ignore
    ),
    Row(preset: .browser, configurations: [.music], end: .stayInactive, unplug: .pause),
    Row(
      preset: .navigation,
      configurations: [.prompt, .make(.playAndRecord, options: .duckOthers)],
      end: .ignore,
      unplug: .ignore
    ),
    Row(
      preset: .musicMaking,
      configurations: [.mixing, .make(.playAndRecord, options: .mixWithOthers)],
      end: .resume,
      unplug: .ignore
    ),
  ]

  @Test("PRE each preset is its row of the table", arguments: table)
  func rows(row: Row) throws {
    #expect(row.preset.configuration == row.configurations.first)
    #expect(
      try row.preset.categories.map { try row.preset.configuration(category: $0) }
        == row.configurations
    )
    #expect(row.preset.reactions == Reactions(interruptionEnd: row.end, unplug: row.unplug))
    for category in Sessions.Category.allCases where !row.preset.categories.contains(category) {
      #expect(throws: SessionError.self) { try row.preset.configuration(category: category) }
    }
  }

  @Test("PRE every preset is in the table")
  func complete() {
    #expect(Self.table.map(\.preset) == Preset.allCases)
    #expect(Preset.allCases.filter(\.takesRemoteCommands) == [.player, .browser])
    #expect(Preset.allCases.filter(\.registersWhilePlaying) == [.browser])
    #expect(Preset.allCases.filter(\.isActiveWhileSounding) == [.navigation])
    #expect(
      Preset.allCases.filter(\.notifiesOthersOnDeactivation) == [.voip, .browser, .navigation]
    )
  }
}
