// SPDX-License-Identifier: MIT

import Sessions
import Testing

@Suite("MOD: modes")
struct MODTests {
  static let table: [(Mode, [Sessions.Category])] = [
    (.default, Sessions.Category.allCases),
    (.voiceChat, [.playAndRecord]),
    (.gameChat, [.playAndRecord]),
    (.videoChat, [.playAndRecord]),
    (.videoRecording, [.record, .playAndRecord]),
    (.measurement, [.record, .playAndRecord, .playback]),
    (.moviePlayback, [.playback]),
    (.spokenAudio, [.playback, .playAndRecord]),
    (.voicePrompt, [.playback, .playAndRecord]),
    (.shortFormVideo, [.playback]),
  ]

  @Test("MOD-1 every mode with every category", arguments: table)
  func modes(mode: Mode, categories: [Sessions.Category]) throws {
    #expect(Set(mode.categories) == Set(categories))
    for category in Sessions.Category.allCases {
      var configuration = try SessionConfiguration(category: category)
      let before = configuration
      if categories.contains(category) {
        try configuration.setMode(mode)
        #expect(configuration.mode == mode)
      } else {
        let error = #expect(throws: SessionError.self) { try configuration.setMode(mode) }
        #expect(error?.code == .badParam)
        #expect(error?.rule == .mod1)
        #expect(error?.allowed == mode.categories.map(\.name))
        #expect(configuration == before)
      }
    }
  }

  @Test("MOD-1 dualRoute needs multiRoute and hands-free in the same call")
  func dualRoute() throws {
    var configuration = try SessionConfiguration(category: .multiRoute)
    #expect(throws: SessionError.self) { try configuration.setMode(.dualRoute) }
    try configuration.setCategory(.multiRoute, mode: .dualRoute, options: .allowBluetoothHFP)
    #expect(configuration.mode == .dualRoute)
    try configuration.setCategory(.multiRoute)
    #expect(configuration.mode == .default)
  }

  @Test("MOD-2 a category that does not take the mode resets it; one that does keeps it")
  func categoryAfterMode() throws {
    var configuration = SessionConfiguration.call
    try configuration.setCategory(.playback)
    #expect(configuration.mode == .default)
    try configuration.setMode(.spokenAudio)
    try configuration.setCategory(.playAndRecord)
    #expect(configuration.mode == .spokenAudio)
  }

  @Test("MOD-3 a mode's options come when the mode changes, and only then")
  func impliedOptions() throws {
    var configuration = SessionConfiguration()
    try configuration.setCategory(.playAndRecord)
    try configuration.setMode(.voiceChat)
    #expect(configuration.options.rawValue == 0x4)
    try configuration.setCategory(.playAndRecord)
    #expect(configuration.options == [])
    #expect(configuration.mode == .voiceChat)
    try configuration.setMode(.voiceChat)
    #expect(configuration.options == [])
    try configuration.setMode(.videoChat)
    #expect(configuration.options == [.allowBluetoothHFP, .defaultToSpeaker])
  }

  @Test("MOD-3 one call with category, mode and options adds the mode's options every time")
  func oneCall() throws {
    var configuration = SessionConfiguration()
    for _ in 0..<2 {
      try configuration.setCategory(.playAndRecord, mode: .voiceChat, options: .mixWithOthers)
      #expect(configuration.options == [.allowBluetoothHFP, .mixWithOthers])
    }
  }

  @Test("MOD-4 network routes fit playAndRecord in default, videoChat and gameChat only")
  func airPlay() throws {
    for mode in Mode.allCases where mode.isAllowed(in: .playAndRecord) {
      let configuration = try SessionConfiguration(
        category: .playAndRecord,
        mode: mode,
        options: .allowAirPlay
      )
      #expect(
        configuration.allowsOutput(.airPlay) == [.default, .videoChat, .gameChat].contains(mode),
        "\(mode)"
      )
    }
    for category in [Sessions.Category.ambient, .soloAmbient, .playback] {
      #expect(try SessionConfiguration(category: category).allowsOutput(.airPlay))
    }
    #expect(try !SessionConfiguration(category: .multiRoute).allowsOutput(.airPlay))
  }

  @Test("MOD-1 names find their modes, categories, options and port types")
  func names() {
    for mode in Mode.allCases { #expect(Mode(name: mode.name) == mode) }
    for category in Sessions.Category.allCases {
      #expect(Sessions.Category(name: category.name) == category)
    }
    for (name, option) in CategoryOptions.named { #expect(CategoryOptions(name: name) == option) }
    for type in PortType.allCases { #expect(PortType(name: type.name) == type) }
    #expect(Mode(name: "VoiceChat") == nil)
    #expect(CategoryOptions(name: "allowBluetooth") == .allowBluetoothHFP)
  }
}
