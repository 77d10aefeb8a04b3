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

  @Test("MOD-3 gameChat has the routes of videoChat: the speaker alone, hands-free when connected")
  func gameChat() throws {
    let handsFree = [PortDescription.Direction.output, .input].map {
      PortDescription(uid: "hfp-\($0.rawValue)", type: .bluetoothHFP, direction: $0)
    }
    let builtIn = [Scene.speaker, Scene.receiver, Scene.microphone]
    for more in [[], handsFree, [Scene.headphones], handsFree + [Scene.usb]] {
      let routes = [Mode.videoChat, .gameChat].map { mode in
        RouteSelector.route(for: .make(.playAndRecord, mode: mode), ports: builtIn + more)
      }
      #expect(routes[0] == routes[1])
    }
    let alone = RouteSelector.route(for: .make(.playAndRecord, mode: .gameChat), ports: builtIn)
    #expect(alone.outputs == [Scene.speaker])
    let connected = RouteSelector.route(
      for: .make(.playAndRecord, mode: .gameChat),
      ports: builtIn + handsFree
    )
    #expect(connected.outputs.map(\.type) == [.bluetoothHFP])
    #expect(connected.inputs.map(\.type) == [.bluetoothHFP])
  }

  static let mirrored = PortDescription(
    uid: "screen",
    type: .airPlay,
    direction: .output,
    isMirrored: true
  )
  static let unmirrored = PortDescription(uid: "speaker", type: .airPlay, direction: .output)

  @Test("MOD-4 playAndRecord takes mirrored network routes without an option in three modes")
  func mirroredWithoutOption() throws {
    for mode in Mode.allCases where mode.isAllowed(in: .playAndRecord) {
      let plain = try SessionConfiguration(category: .playAndRecord, mode: mode)
      let isFree = [.default, .videoChat, .gameChat].contains(mode)
      #expect(plain.allowsOutput(Self.mirrored) == isFree, "\(mode)")
      #expect(!plain.allowsOutput(Self.unmirrored), "\(mode)")
    }
  }

  @Test("MOD-4 allowAirPlay adds the other modes of playAndRecord, for mirrored routes only")
  func mirroredWithOption() throws {
    for mode in Mode.allCases where mode.isAllowed(in: .playAndRecord) {
      let allowing = try SessionConfiguration(
        category: .playAndRecord,
        mode: mode,
        options: .allowAirPlay
      )
      #expect(allowing.allowsOutput(Self.mirrored), "\(mode)")
      #expect(!allowing.allowsOutput(Self.unmirrored), "\(mode)")
    }
  }

  @Test("MOD-4 ambient, soloAmbient and playback take mirrored and unmirrored; multiRoute none")
  func otherCategories() throws {
    for port in [Self.mirrored, Self.unmirrored] {
      for category in [Sessions.Category.ambient, .soloAmbient, .playback] {
        #expect(try SessionConfiguration(category: category).allowsOutput(port))
      }
      #expect(try !SessionConfiguration(category: .multiRoute).allowsOutput(port))
    }
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
