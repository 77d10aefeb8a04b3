// SPDX-License-Identifier: MIT

/// How a category behaves towards other apps and which routes it may use; the SDK's raw values.
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
  /// The built-in speaker instead of the receiver when nothing else is connected.
  public static let defaultToSpeaker = CategoryOptions(rawValue: 0x8)
  /// Interrupts `spokenAudio` sessions and mixes with the rest; contains `mixWithOthers`.
  public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 0x11)
  /// Makes stereo Bluetooth outputs eligible.
  public static let allowBluetoothA2DP = CategoryOptions(rawValue: 0x20)
  /// Makes network outputs eligible.
  public static let allowAirPlay = CategoryOptions(rawValue: 0x40)
  /// No interruption when the built-in microphone is muted in hardware.
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
    let wanted = name == "allowBluetooth" ? "allowBluetoothHFP" : name
    guard let match = Self.named.first(where: { $0.name == wanted }) else { return nil }
    self = match.option
  }

  /// The names of the options in this set; unknown bits appear as one hexadecimal number.
  public var names: [String] {
    var names = Self.named.filter { contains($0.option) }.map(\.name)
    let unknown = rawValue & ~Self.known.rawValue
    if unknown != 0 { names.append("0x" + String(unknown, radix: 16)) }
    return names
  }

  /// Whether this set holds the bit that is `interruptSpokenAudioAndMixWithOthers`' own.
  public var interruptsSpokenAudio: Bool { rawValue & Self.spokenBit != 0 }

  /// The bit that `interruptSpokenAudioAndMixWithOthers` has beyond `mixWithOthers`.
  static let spokenBit: UInt = 0x10

  /// All options of the SDK.
  static let known = CategoryOptions(rawValue: 0xC_00FF)
}
