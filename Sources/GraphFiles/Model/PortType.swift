// SPDX-License-Identifier: MIT

/// What kind of device a route is, with the names of `AVAudioSession.Port`.
///
/// The raw value is the name in the file and the name of the Swift constant.
public enum PortType: String, Sendable, CaseIterable {
  /// A line-level input.
  case lineIn
  /// The built-in microphone.
  case builtInMic
  /// The microphone of a wired headset.
  case headsetMic
  /// A line-level output.
  case lineOut
  /// Headphones.
  case headphones
  /// The speaker held to the ear.
  case builtInReceiver
  /// The built-in speaker.
  case builtInSpeaker
  /// A stereo Bluetooth output.
  case bluetoothA2DP
  /// A Bluetooth Low Energy output.
  case bluetoothLE
  /// A hands-free Bluetooth device.
  case bluetoothHFP
  /// An HDMI output.
  case HDMI
  /// A network output.
  case airPlay
  /// A USB device.
  case usbAudio
  /// A car.
  case carAudio
  /// Another program, or a network bridge.
  case virtual
  /// A card on the PCI bus.
  case PCI
  /// A FireWire device.
  case fireWire
  /// A DisplayPort output.
  case displayPort
  /// An Audio Video Bridging device.
  case AVB
  /// A Thunderbolt device.
  case thunderbolt

  /// The directions such a device can have, the usual one first.
  public var directions: [GraphFile.Route.Direction] {
    switch self {
    case .lineIn, .builtInMic, .headsetMic:
      [.input]
    case .lineOut, .headphones, .builtInReceiver, .builtInSpeaker, .bluetoothA2DP, .bluetoothLE,
      .HDMI, .airPlay:
      [.output]
    case .bluetoothHFP, .usbAudio, .carAudio, .virtual, .PCI, .fireWire, .displayPort, .AVB,
      .thunderbolt:
      [.output, .input]
    }
  }
}
