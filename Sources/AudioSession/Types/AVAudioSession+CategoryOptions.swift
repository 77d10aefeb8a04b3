// SPDX-License-Identifier: MIT

extension AVAudioSession {
  /// How a category behaves towards other apps and which routes it may use (OPT-1).
  public struct CategoryOptions: OptionSet, Hashable, Sendable {
    /// The SDK's bits.
    public let rawValue: UInt

    /// Makes a set from the SDK's bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Mixes: neither interrupts other apps' sessions nor is interrupted by them.
    public static let mixWithOthers = CategoryOptions(rawValue: 0x1)
    /// Lowers the others while this session is active; brings `mixWithOthers`.
    public static let duckOthers = CategoryOptions(rawValue: 0x2)
    /// Makes hands-free devices eligible.
    public static let allowBluetoothHFP = CategoryOptions(rawValue: 0x4)
    /// Old name of `allowBluetoothHFP`.
    @available(iOS, deprecated: 26, renamed: "allowBluetoothHFP")
    public static let allowBluetooth = CategoryOptions(rawValue: 0x4)
    /// The built-in speaker instead of the receiver when nothing else is connected.
    public static let defaultToSpeaker = CategoryOptions(rawValue: 0x8)
    /// Interrupts sessions in mode `spokenAudio` and mixes with the rest.
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
  }
}
