// SPDX-License-Identifier: MIT

extension CategoryOptions {
  /// What a category in a mode does with each option (rule OPT-1).
  public struct Table: Hashable, Sendable {
    /// May be set.
    public let settable: CategoryOptions
    /// Always on, hence not to be set.
    public let implicit: CategoryOptions
  }

  /// The options of a category in a mode.
  ///
  /// - Parameters:
  ///   - category: The category.
  ///   - mode: The mode; it matters for `multiRoute`, and for high-quality Bluetooth recording.
  /// - Returns: What may be set, and what is always on.
  public static func table(for category: Category, mode: Mode) -> Table {
    let mixing: CategoryOptions = [
      .mixWithOthers, .duckOthers, .interruptSpokenAudioAndMixWithOthers,
    ]
    let wireless: CategoryOptions = [.allowBluetoothA2DP, .allowAirPlay]
    switch category {
    case .ambient:
      return Table(settable: .duckOthers, implicit: wireless.union(.mixWithOthers))
    case .soloAmbient:
      return Table(settable: [], implicit: wireless)
    case .playback:
      return Table(settable: mixing, implicit: wireless)
    case .record:
      return Table(
        settable: [.allowBluetoothHFP, .overrideMutedMicrophoneInterruption, .farFieldInput],
        implicit: [],
      )
    case .playAndRecord:
      let all: CategoryOptions = mixing.union(wireless).union([
        .allowBluetoothHFP, .defaultToSpeaker, .overrideMutedMicrophoneInterruption,
        .farFieldInput,
      ])
      let quality: CategoryOptions = mode == .default ? .bluetoothHighQualityRecording : []
      return Table(settable: all.union(quality), implicit: [])
    case .audioProcessing:
      return Table(settable: [], implicit: [])
    case .multiRoute:
      var settable: CategoryOptions = []
      if mode == .default { settable.formUnion(mixing) }
      if mode == .dualRoute { settable.formUnion([.allowBluetoothHFP, .farFieldInput]) }
      return Table(settable: settable, implicit: [])
    }
  }

  /// This set as the session reads it: ducking and interrupting speech contain mixing.
  var normalized: CategoryOptions {
    contains(.duckOthers) || interruptsSpokenAudio ? union(.mixWithOthers) : self
  }
}
