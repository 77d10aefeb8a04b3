// SPDX-License-Identifier: MIT

/// A category's behaviour towards other apps, and the routes that it may use; the SDK's raw values.
///
/// Pure value: [any-thread].
public struct CategoryOptions: OptionSet, Hashable, Codable, Sendable {
  /// The SDK's bits.
  public let rawValue: UInt

  /// Makes a set from the SDK's bits, unknown ones included.
  ///
  /// - Parameter rawValue: The SDK's bits; `SessionConfiguration` refuses unknown ones.
  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// Mixes: neither interrupts other apps' sessions nor is interrupted by them.
  public static let mixWithOthers = CategoryOptions(rawValue: 0x1)
  /// Lowers the others while this session is active; implies `mixWithOthers`.
  public static let duckOthers = CategoryOptions(rawValue: 0x2)
  /// Makes hands-free devices eligible.
  public static let allowBluetoothHFP = CategoryOptions(rawValue: 0x4)
  /// Uses the built-in speaker instead of the receiver when it is the only choice.
  public static let defaultToSpeaker = CategoryOptions(rawValue: 0x8)
  /// Interrupts `spokenAudio` sessions and mixes with the rest; contains `mixWithOthers`.
  public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 0x11)
  /// Makes stereo Bluetooth outputs eligible.
  public static let allowBluetoothA2DP = CategoryOptions(rawValue: 0x20)
  /// Makes mirrored network outputs eligible in every mode of `playAndRecord` (rule MOD-4).
  public static let allowAirPlay = CategoryOptions(rawValue: 0x40)
  /// Prevents the interruption when the built-in microphone is muted in hardware.
  public static let overrideMutedMicrophoneInterruption = CategoryOptions(rawValue: 0x80)
  /// Far-field capture of a Bluetooth microphone; needs `allowBluetoothHFP`.
  public static let farFieldInput = CategoryOptions(rawValue: 1 << 18)
  /// High-quality capture of a Bluetooth microphone, in mode `default` only.
  public static let bluetoothHighQualityRecording = CategoryOptions(rawValue: 1 << 19)

  /// Every single option with its Swift name, in the order of the raw values.
  public static let named: [(name: String, option: CategoryOptions)] = [
    ("mixWithOthers", .mixWithOthers),
    ("duckOthers", .duckOthers),
    ("allowBluetoothHFP", .allowBluetoothHFP),
    ("defaultToSpeaker", .defaultToSpeaker),
    ("interruptSpokenAudioAndMixWithOthers", .interruptSpokenAudioAndMixWithOthers),
    ("allowBluetoothA2DP", .allowBluetoothA2DP),
    ("allowAirPlay", .allowAirPlay),
    ("overrideMutedMicrophoneInterruption", .overrideMutedMicrophoneInterruption),
    ("farFieldInput", .farFieldInput),
    ("bluetoothHighQualityRecording", .bluetoothHighQualityRecording),
  ]

  /// Finds one option by its Swift name; `allowBluetooth` is the old name of `allowBluetoothHFP`.
  ///
  /// - Parameter name: A name such as `duckOthers`; case matters.
  public init?(name: String) {
    let current = name == "allowBluetooth" ? "allowBluetoothHFP" : name
    guard let match = Self.named.first(where: { $0.name == current }) else { return nil }
    self = match.option
  }

  /// The names of the options in this set; unknown bits appear as one hexadecimal number.
  public var names: [String] {
    var names = Self.named.filter { contains($0.option) }.map(\.name)
    let unknown = rawValue & ~Self.known.rawValue
    if unknown != 0 { names.append("0x" + String(unknown, radix: 16)) }
    return names
  }

  /// Whether this set has the bit that only `interruptSpokenAudioAndMixWithOthers` has.
  public var interruptsSpokenAudio: Bool { rawValue & Self.spokenBit != 0 }

  /// The bit that `interruptSpokenAudioAndMixWithOthers` has beyond `mixWithOthers`.
  static let spokenBit: UInt = 0x10

  /// All options of the SDK.
  static let known = CategoryOptions(rawValue: 0xC_00FF)
}

extension CategoryOptions {
  /// The options of a category in a mode (rule OPT-1).
  public struct Table: Hashable, Sendable {
    /// Options that may be set.
    public let settable: CategoryOptions
    /// Options that are always on and cannot be set.
    public let implicit: CategoryOptions
    /// Options that are taken and have no effect, as on iOS.
    public let ignored: CategoryOptions

    init(
      settable: CategoryOptions,
      implicit: CategoryOptions,
      ignored: CategoryOptions = [],
    ) {
      self.settable = settable
      self.implicit = implicit
      self.ignored = ignored
    }
  }

  /// The options of a category in a mode.
  ///
  /// - Parameters:
  ///   - category: The category.
  ///   - mode: The mode; it matters for `multiRoute`, and for high-quality Bluetooth recording.
  /// - Returns: The options that may be set, and those that are always on.
  public static func table(for category: Category, mode: Mode) -> Table {
    let mixing: CategoryOptions = [
      .mixWithOthers, .duckOthers, .interruptSpokenAudioAndMixWithOthers,
    ]
    let wireless: CategoryOptions = [.allowBluetoothA2DP, .allowAirPlay]
    switch category {
    case .ambient:
      // It mixes by itself, and takes the option without effect.
      return Table(
        settable: .duckOthers,
        implicit: wireless.union(.mixWithOthers),
        ignored: .mixWithOthers,
      )
    case .soloAmbient:
      return Table(settable: [], implicit: wireless)
    case .playback:
      return Table(settable: mixing, implicit: wireless)
    case .record:
      return Table(
        settable: [.allowBluetoothHFP, .overrideMutedMicrophoneInterruption, .farFieldInput],
        implicit: [],
        ignored: .duckOthers,
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

  /// This set with the options that others imply: ducking and interrupting speech contain mixing.
  var normalized: CategoryOptions {
    contains(.duckOthers) || interruptsSpokenAudio ? union(.mixWithOthers) : self
  }
}
