// SPDX-License-Identifier: MIT

import Sessions
import Testing

@Suite("OPT: options")
struct OPTTests {
  /// The options that may be set in mode default: the table of the rules and of the SDK.
  static let settable: [(Sessions.Category, CategoryOptions)] = [
    (.ambient, [.duckOthers]),
    (.soloAmbient, []),
    (.playback, [.mixWithOthers, .duckOthers, .interruptSpokenAudioAndMixWithOthers]),
    (.record, [.allowBluetoothHFP, .overrideMutedMicrophoneInterruption, .farFieldInput]),
    (
      .playAndRecord,
      [
        .mixWithOthers, .duckOthers, .interruptSpokenAudioAndMixWithOthers, .allowBluetoothHFP,
        .defaultToSpeaker, .allowBluetoothA2DP, .allowAirPlay,
        .overrideMutedMicrophoneInterruption, .farFieldInput, .bluetoothHighQualityRecording,
      ]
    ),
    (.audioProcessing, []),
    (.multiRoute, [.mixWithOthers, .duckOthers, .interruptSpokenAudioAndMixWithOthers]),
  ]

  /// The options that are taken and have no effect, as on iOS.
  static let ignored: [(Sessions.Category, CategoryOptions)] = [
    (.ambient, .mixWithOthers), (.record, .duckOthers), (.record, [.duckOthers, .mixWithOthers]),
  ]

  @Test("OPT-1 options that iOS ignores are taken and ignored", arguments: ignored)
  func ignoredOptions(category: Sessions.Category, options: CategoryOptions) throws {
    var configuration = SessionConfiguration.call
    try configuration.setCategory(category, mode: .default, options: options)
    #expect(configuration.category == category)
    #expect(configuration.options == [])
    #expect(!configuration.ducksOthers)
  }

  @Test("OPT-1 hands-free output stays refused for playback, and mixing alone for record")
  func stillRefused() {
    let pairs: [(Sessions.Category, CategoryOptions)] = [
      (.playback, .allowBluetoothHFP), (.record, .mixWithOthers), (.soloAmbient, .duckOthers),
    ]
    for (category, options) in pairs {
      let error = #expect(throws: SessionError.self) {
        try SessionConfiguration(category: category, options: options)
      }
      #expect(error?.code == .badParam)
      #expect(error?.code.rawValue == -50)
    }
  }

  @Test("OPT-1 every option with every category", arguments: settable)
  func table(category: Sessions.Category, settable: CategoryOptions) throws {
    for (name, option) in CategoryOptions.named {
      var configuration = SessionConfiguration.call
      let before = configuration
      let needsHandsFree = option == .farFieldInput
      let wanted = needsHandsFree ? option.union(.allowBluetoothHFP) : option
      if Self.ignored.contains(where: { $0 == (category, option) }) { continue }
      if settable.contains(option) {
        try configuration.setCategory(category, mode: .default, options: wanted)
        #expect(configuration.category == category)
        #expect(configuration.options.contains(option), "\(name)")
      } else {
        let error = #expect(throws: SessionError.self) {
          try configuration.setCategory(category, mode: .default, options: wanted)
        }
        #expect(error?.code == .badParam)
        #expect(error?.rule == .opt1)
        #expect(error?.message.contains(name) == true, "\(error?.message ?? "")")
        #expect(configuration == before)
      }
    }
  }

  @Test(
    "OPT-1 raw values are the SDK's",
    arguments: zip(
      CategoryOptions.named.map(\.option),
      [0x1, 0x2, 0x4, 0x8, 0x11, 0x20, 0x40, 0x80, 1 << 18, 1 << 19] as [UInt],
    )
  )
  func rawValues(option: CategoryOptions, rawValue: UInt) {
    #expect(option.rawValue == rawValue)
    #expect(option.isSubset(of: CategoryOptions(rawValue: 0xC_00FF)))
  }

  @Test("OPT-1 ducking and interrupting speech contain mixing; read options can be set again")
  func implied() throws {
    var configuration = SessionConfiguration()
    for category in [Sessions.Category.ambient, .playback, .playAndRecord, .multiRoute] {
      try configuration.setCategory(category, options: .duckOthers)
      #expect(configuration.options == [.duckOthers, .mixWithOthers])
      try configuration.setCategory(category, options: configuration.options)
      #expect(configuration.options == [.duckOthers, .mixWithOthers])
    }
    try configuration.setCategory(.playback, options: CategoryOptions(rawValue: 0x10))
    #expect(configuration.options == .interruptSpokenAudioAndMixWithOthers)
  }

  @Test("OPT-1 multiRoute mixes in mode default only")
  func multiRouteMixing() throws {
    let dual = try SessionConfiguration(
      category: .multiRoute,
      mode: .dualRoute,
      options: .allowBluetoothHFP
    )
    #expect(dual.options == .allowBluetoothHFP)
    #expect(throws: SessionError.self) {
      try SessionConfiguration(
        category: .multiRoute,
        mode: .dualRoute,
        options: [.allowBluetoothHFP, .mixWithOthers]
      )
    }
  }

  @Test("OPT-1 unknown bits are refused by name")
  func unknownBits() {
    let error = #expect(throws: SessionError.self) {
      try SessionConfiguration(category: .playback, options: CategoryOptions(rawValue: 0x200))
    }
    #expect(error?.message.contains("0x200") == true)
  }

  @Test("OPT-1 a long-form policy takes playback without options only")
  func policies() throws {
    var configuration = SessionConfiguration()
    try configuration.setCategory(.playback, mode: .spokenAudio, policy: .longFormAudio)
    #expect(configuration.policy == .longFormAudio)
    #expect(throws: SessionError.self) {
      try configuration.setCategory(
        .playback,
        mode: .default,
        policy: .longFormAudio,
        options: .mixWithOthers
      )
    }
    #expect(throws: SessionError.self) {
      try configuration.setCategory(.ambient, mode: .default, policy: .longFormVideo)
    }
    #expect(throws: SessionError.self) {
      try configuration.setCategory(.playback, mode: .default, policy: .independent)
    }
    #expect(configuration.policy == .longFormAudio)
  }

  @Test("OPT-2 wireless routes are eligible only where an option or the category says so")
  func eligibility() {
    let handsFree = PortDescription(
      uid: "hfp",
      type: .bluetoothHFP,
      direction: .output,
      deviceUID: "headset"
    )
    let stereo = PortDescription(
      uid: "a2dp",
      type: .bluetoothA2DP,
      direction: .output,
      deviceUID: "headset"
    )
    let network = PortDescription(uid: "net", type: .airPlay, direction: .output)
    let screen = MODTests.mirrored
    func route(_ configuration: SessionConfiguration, _ ports: [PortDescription]) -> [String] {
      RouteSelector.route(for: configuration, ports: [Scene.speaker] + ports).outputs.map(\.uid)
    }
    #expect(route(.music, [handsFree]) == ["speaker"])
    #expect(route(.music, [stereo]) == ["a2dp"])
    #expect(route(.both, [stereo]) == ["speaker"])
    #expect(route(.make(.playAndRecord, options: .allowBluetoothA2DP), [stereo]) == ["a2dp"])
    let both: CategoryOptions = [.allowBluetoothA2DP, .allowBluetoothHFP]
    // One device that offers both is used hands-free.
    #expect(route(.make(.playAndRecord, options: both), [handsFree, stereo]) == ["hfp"])
    #expect(route(.music, [network]) == ["net"])
    #expect(route(.both, [network]) == ["speaker"])
    #expect(route(.make(.playAndRecord, mode: .voiceChat), [screen]) == ["speaker"])
    let allowing = SessionConfiguration.make(
      .playAndRecord,
      mode: .voiceChat,
      options: .allowAirPlay
    )
    #expect(route(allowing, [screen]) == ["screen"])
    #expect(route(allowing, [network]) == ["speaker"])
  }

  @Test("OPT-2 the muted built-in microphone interrupts, unless overridden")
  func mutedMicrophone() {
    var scene = Scene()
    scene.play(1, .make(.record))
    scene.do(.microphoneMuteChanged(isMuted: true))
    #expect(
      scene.notices(1).first == .interruptionBegan(reason: .builtInMicMuted, wasSuspended: false)
    )
    scene.do(.microphoneMuteChanged(isMuted: false))
    #expect(scene.notices(1).first == .interruptionEnded(shouldResume: true, heldCommands: []))
    scene.ask(1, .setCategory(category: .record, options: .overrideMutedMicrophoneInterruption))
    scene.ask(1, .activate)
    scene.do(.microphoneMuteChanged(isMuted: true))
    #expect(scene[1]?.isActive == true)
  }
}
