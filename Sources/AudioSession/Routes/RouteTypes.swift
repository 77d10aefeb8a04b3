// SPDX-License-Identifier: MIT

extension AVAudioSession {
  /// The type of a port (RTE-6 of docs/sessions.md).
  ///
  /// Pure value: [any-thread].
  public struct Port: RawRepresentable, Hashable, Sendable {
    /// The SDK's string.
    public let rawValue: String

    /// Makes a value from the SDK's string; calls that take it refuse unknown strings.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Line level input.
    public static let lineIn = Port(rawValue: "LineIn")
    /// The machine's built-in microphone.
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
    /// The machine's built-in loudspeaker.
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

  /// An override of the output (RTE-5).
  public enum PortOverride: UInt, Sendable {
    /// The output is not overridden.
    case none = 0
    /// The built-in speaker and the built-in microphone ('spkr').
    case speaker = 0x7370_6B72
  }

  /// The route that a user selected for playback.
  public enum RouteSelection: Int, Sendable {
    /// None.
    case none = 0
    /// A route of this machine.
    case local = 1
    /// Another device.
    case external = 2
  }

  /// Whether input and output come from one device.
  public enum IOType: UInt, Sendable {
    /// The app has no preference.
    case notSpecified = 0
    /// Input and output in one cycle, as JACK always has them.
    case aggregated = 1
  }

  /// The rendering of the output; always `monoStereo` or `surround` on JACK.
  public enum RenderingMode: Int, Sendable {
    /// The session is inactive, or has no output.
    case notApplicable = 0
    /// One or two channels.
    case monoStereo = 1
    /// More channels.
    case surround = 2
    /// Spatial audio; never on JACK.
    case spatialAudio = 3
    /// Dolby Audio; never on JACK.
    case dolbyAudio = 4
    /// Dolby Atmos; never on JACK.
    case dolbyAtmos = 5
  }
}
