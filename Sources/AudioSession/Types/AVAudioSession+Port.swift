// SPDX-License-Identifier: MIT

extension AVAudioSession {
  /// What a port of a route is (RTE-6 of docs/sessions.md).
  public struct Port: RawRepresentable, Hashable, Sendable {
    /// The SDK's string.
    public let rawValue: String

    /// Makes a value from the SDK's string; unknown ones are refused where they are used.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Line level input.
    public static let lineIn = Port(rawValue: "LineIn")
    /// The microphone of the machine itself.
    public static let builtInMic = Port(rawValue: "MicrophoneBuiltIn")
    /// The microphone of a wired headset.
    public static let headsetMic = Port(rawValue: "MicrophoneWired")
    /// The microphone of a nearby phone.
    public static let continuityMicrophone = Port(rawValue: "ContinuityMicrophone")
    /// Line level output.
    public static let lineOut = Port(rawValue: "LineOut")
    /// Wired headphones.
    public static let headphones = Port(rawValue: "Headphones")
    /// Stereo Bluetooth output.
    public static let bluetoothA2DP = Port(rawValue: "BluetoothA2DPOutput")
    /// The speaker held to the ear.
    public static let builtInReceiver = Port(rawValue: "Receiver")
    /// The loudspeaker of the machine itself.
    public static let builtInSpeaker = Port(rawValue: "Speaker")
    /// HDMI output.
    public static let HDMI = Port(rawValue: "HDMIOutput")
    /// Network output.
    public static let airPlay = Port(rawValue: "AirPlay")
    /// Low-energy Bluetooth, such as hearing aids.
    public static let bluetoothLE = Port(rawValue: "BluetoothLE")
    /// Hands-free Bluetooth, both directions.
    public static let bluetoothHFP = Port(rawValue: "BluetoothHFP")
    /// USB audio, both directions.
    public static let usbAudio = Port(rawValue: "USBAudio")
    /// A car, both directions.
    public static let carAudio = Port(rawValue: "CarAudio")
    /// A software device, such as another JACK client, both directions.
    public static let virtual = Port(rawValue: "Virtual")
    /// A PCI card, both directions.
    public static let PCI = Port(rawValue: "PCI")
    /// FireWire, both directions.
    public static let fireWire = Port(rawValue: "FireWire")
    /// Display port, both directions.
    public static let displayPort = Port(rawValue: "DisplayPort")
    /// An audio-video bridging network, both directions.
    public static let AVB = Port(rawValue: "AVB")
    /// Thunderbolt, both directions.
    public static let thunderbolt = Port(rawValue: "Thunderbolt")
    /// An output of a media device extension; no route on JACK has this type.
    public static let mediaDeviceExtension = Port(rawValue: "MediaDeviceExtension")
  }
}
