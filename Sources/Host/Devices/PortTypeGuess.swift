// SPDX-License-Identifier: MIT

/// What kind of device something is, by the names that ALSA, PipeWire or JACK give it (RTE-6).
///
/// The graph file overrides it.
enum PortTypeGuess {
  /// The first that is found in a name counts.
  private static let words: [(words: [String], output: String, input: String)] = [
    (["displayport", "display port"], "displayPort", "displayPort"),
    (["hdmi"], "HDMI", "virtual"),
    (["a2dp"], "bluetoothA2DP", "bluetoothHFP"),
    (["hfp", "hsp", "hands-free", "handsfree"], "bluetoothHFP", "bluetoothHFP"),
    (["bluez", "bluetooth"], "bluetoothA2DP", "bluetoothHFP"),
    (["headset"], "headphones", "headsetMic"),
    (["headphone", "earphone"], "headphones", "headsetMic"),
    (["usb"], "usbAudio", "usbAudio"),
    (["thunderbolt"], "thunderbolt", "thunderbolt"),
    (["firewire", "bebob", "fireworks", "dice", "oxfw", "motu", "ffado"], "fireWire", "fireWire"),
    (["avb"], "AVB", "AVB"),
    (["airplay", "raop"], "airPlay", "virtual"),
    (["speaker"], "builtInSpeaker", "builtInMic"),
    (["internal mic", "built-in mic", "dmic"], "lineOut", "builtInMic"),
    (["loopback", "null", "dummy", "virtual", "netjack"], "virtual", "virtual"),
  ]

  /// Guesses.
  ///
  /// - Parameters:
  ///   - names: What the device, its card and its ports are called.
  ///   - isOutput: Whether the host plays to it.
  ///   - isHardware: Whether it says that it is hardware.
  /// - Returns: The name of a port type.
  static func type(of names: [String], isOutput: Bool, isHardware: Bool) -> String {
    let text = names.joined(separator: " ").lowercased()
    for entry in words where entry.words.contains(where: { text.contains($0) }) {
      return isOutput ? entry.output : entry.input
    }
    guard isHardware else { return "virtual" }
    return isOutput ? "lineOut" : "lineIn"
  }
}
