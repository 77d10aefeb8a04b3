// SPDX-License-Identifier: MIT

/// The kind of a port; the raw value is the SDK's string (rule RTE-6).
///
/// Pure value: [any-thread].
public enum PortType: String, CaseIterable, Codable, Sendable {
  /// Line level input.
  case lineIn = "LineIn"
  /// The microphone of the machine itself.
  case builtInMic = "MicrophoneBuiltIn"
  /// The microphone of a wired headset.
  case headsetMic = "MicrophoneWired"
  /// The microphone of a nearby phone.
  case continuityMicrophone = "ContinuityMicrophone"
  /// Line level output.
  case lineOut = "LineOut"
  /// Wired headphones.
  case headphones = "Headphones"
  /// Stereo Bluetooth output.
  case bluetoothA2DP = "BluetoothA2DPOutput"
  /// The speaker held to the ear.
  case builtInReceiver = "Receiver"
  /// The loudspeaker of the machine itself.
  case builtInSpeaker = "Speaker"
  /// HDMI output.
  case HDMI = "HDMIOutput"
  /// Network output.
  case airPlay = "AirPlay"
  /// Low-energy Bluetooth, such as hearing aids.
  case bluetoothLE = "BluetoothLE"
  /// Hands-free Bluetooth, both directions.
  case bluetoothHFP = "BluetoothHFP"
  /// USB audio, both directions.
  case usbAudio = "USBAudio"
  /// A car, both directions.
  case carAudio = "CarAudio"
  /// A software device, both directions.
  case virtual = "Virtual"
  /// PCI card, both directions.
  case PCI = "PCI"
  /// FireWire, both directions.
  case fireWire = "FireWire"
  /// Display port, both directions.
  case displayPort = "DisplayPort"
  /// Audio-video bridging network, both directions.
  case AVB = "AVB"
  /// Thunderbolt, both directions.
  case thunderbolt = "Thunderbolt"

  /// Whether the port is part of the machine, and so the choice without other ports.
  public var isBuiltIn: Bool {
    switch self {
    case .builtInMic, .builtInSpeaker, .builtInReceiver: true
    default: false
    }
  }

  /// Whether ports of this type can be outputs.
  public var canBeOutput: Bool {
    switch self {
    case .lineIn, .builtInMic, .headsetMic, .continuityMicrophone: false
    default: true
    }
  }

  /// Whether ports of this type can be inputs.
  public var canBeInput: Bool {
    switch self {
    case .lineOut, .headphones, .bluetoothA2DP, .builtInReceiver, .builtInSpeaker, .HDMI, .airPlay:
      false
    default: true
    }
  }
}

extension PortType: WireNamed {
  /// The name of the SDK's case, such as `usbAudio`.
  public var name: String {
    switch self {
    case .lineIn: "lineIn"
    case .builtInMic: "builtInMic"
    case .headsetMic: "headsetMic"
    case .continuityMicrophone: "continuityMicrophone"
    case .lineOut: "lineOut"
    case .headphones: "headphones"
    case .bluetoothA2DP: "bluetoothA2DP"
    case .builtInReceiver: "builtInReceiver"
    case .builtInSpeaker: "builtInSpeaker"
    case .HDMI: "HDMI"
    case .airPlay: "airPlay"
    case .bluetoothLE: "bluetoothLE"
    case .bluetoothHFP: "bluetoothHFP"
    case .usbAudio: "usbAudio"
    case .carAudio: "carAudio"
    case .virtual: "virtual"
    case .PCI: "PCI"
    case .fireWire: "fireWire"
    case .displayPort: "displayPort"
    case .AVB: "AVB"
    case .thunderbolt: "thunderbolt"
    }
  }
}
