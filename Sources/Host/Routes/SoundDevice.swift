// SPDX-License-Identifier: MIT

internal import Sessions
internal import SystemSupport

/// A device of a sound card, as ALSA lists it.
///
/// Pure value: [any-thread].
struct SoundDevice: Sendable, Hashable {
  /// ALSA's number of the card; depends on the order in which cards were plugged in.
  let cardNumber: Int
  /// The card's id, which stays the same: `USB`, `PCH`.
  let cardID: String
  /// The card's driver and name.
  let cardName: String
  /// The number of the device on the card.
  let number: Int
  /// The driver's name for it, such as `HDMI 0`.
  let name: String
  let canPlay: Bool
  let canCapture: Bool

  /// ALSA's name for it.
  var alsaName: String { "hw:\(cardID),\(number)" }

  /// The type of port that it is in a direction.
  func portType(isOutput: Bool) -> PortType {
    PortTypeGuess.type(of: [name, cardName], isOutput: isOutput, isHardware: true)
  }

  /// Whether an ALSA name such as `hw:1`, `plughw:USB,0` or `hw:CARD=USB` means it.
  func isMeant(by alsaName: String) -> Bool {
    guard let colon = alsaName.firstIndex(of: ":") else { return false }
    let parts = alsaName[alsaName.index(after: colon)...].split(separator: ",")
      .map { $0.split(separator: "=").last.map(String.init) ?? "" }
    guard let card = parts.first, card == cardID || card == "\(cardNumber)" else { return false }
    return parts.count < 2 || parts[1] == "\(number)"
  }
}

/// The sound cards of the machine, and the changes since the last look.
///
/// Belongs to the control thread.
struct DeviceWatch: Sendable {
  /// A device that was plugged in or removed.
  struct Change: Sendable, Equatable {
    let device: SoundDevice
    let isThere: Bool
  }

  private static let intervalNanoseconds: UInt64 = 1_000_000_000

  /// The devices as of the last look.
  private(set) var devices: [SoundDevice]
  private let read: @Sendable () -> [SoundDevice]
  private var lastNanoseconds: UInt64 = 0

  /// Starts with the present devices.
  init(read: @escaping @Sendable () -> [SoundDevice] = { Machine().soundDevices() }) {
    self.read = read
    devices = read()
  }

  /// Reads the devices again if a second has passed since the last time.
  ///
  /// - Returns: The removed devices, then the new ones.
  mutating func look(nowNanoseconds: UInt64) -> [Change] {
    guard nowNanoseconds - lastNanoseconds >= Self.intervalNanoseconds else { return [] }
    lastNanoseconds = nowNanoseconds
    let found = read()
    let before = devices
    devices = found
    return before.filter { !found.contains($0) }.map { Change(device: $0, isThere: false) }
      + found.filter { !before.contains($0) }.map { Change(device: $0, isThere: true) }
  }

  /// The type of the device with an ALSA name; guessed from the name if the device is missing.
  func portType(ofDevice name: String, isOutput: Bool) -> PortType {
    devices.first { $0.isMeant(by: name) }?.portType(isOutput: isOutput)
      ?? PortTypeGuess.type(of: [name], isOutput: isOutput, isHardware: true)
  }
}

/// Guesses the type of a device from the names that ALSA, PipeWire or JACK give it (RTE-6).
///
/// A `type` in the graph file overrides the guess. Pure value: [any-thread].
enum PortTypeGuess {
  /// The first entry that matches a name counts.
  private static let words: [(words: [String], output: PortType, input: PortType)] = [
    (["displayport", "display port"], .displayPort, .displayPort),
    (["hdmi"], .HDMI, .virtual),
    (["a2dp"], .bluetoothA2DP, .bluetoothHFP),
    (["hfp", "hsp", "hands-free", "handsfree"], .bluetoothHFP, .bluetoothHFP),
    (["bluez", "bluetooth"], .bluetoothA2DP, .bluetoothHFP),
    (["headset"], .headphones, .headsetMic),
    (["headphone", "earphone"], .headphones, .headsetMic),
    (["usb"], .usbAudio, .usbAudio),
    (["thunderbolt"], .thunderbolt, .thunderbolt),
    (["firewire", "bebob", "fireworks", "dice", "oxfw", "motu", "ffado"], .fireWire, .fireWire),
    (["avb"], .AVB, .AVB),
    (["airplay", "raop"], .airPlay, .virtual),
    (["speaker"], .builtInSpeaker, .builtInMic),
    (["internal mic", "built-in mic", "dmic"], .lineOut, .builtInMic),
    (["loopback", "null", "dummy", "virtual", "netjack"], .virtual, .virtual),
  ]

  /// The most likely type of a device.
  ///
  /// - Parameters:
  ///   - names: The names of the device, of its card and of its ports.
  ///   - isOutput: Whether the host plays to it.
  ///   - isHardware: Whether it is marked as hardware.
  /// - Returns: The type that the names suggest; else a line of hardware, or virtual.
  static func type(of names: [String], isOutput: Bool, isHardware: Bool) -> PortType {
    let text = names.joined(separator: " ").lowercased()
    for entry in words where entry.words.contains(where: { text.contains($0) }) {
      return isOutput ? entry.output : entry.input
    }
    guard isHardware else { return .virtual }
    return isOutput ? .lineOut : .lineIn
  }
}

extension Machine {
  /// The sound devices that ALSA lists now.
  func soundDevices() -> [SoundDevice] {
    // ` 0 [PCH            ]: HDA-Intel - HDA Intel PCH`, and a second line with details.
    var cards: [Int: (id: String, name: String)] = [:]
    for line in lines("/proc/asound/cards") {
      guard let open = line.firstIndex(of: "["), let close = line.firstIndex(of: "]"), open < close,
        let number = Int(line[..<open].split(separator: " ").first ?? ""),
        let id = line[line.index(after: open)..<close].split(separator: " ").first
      else { continue }
      let rest = line[line.index(after: close)...].drop { $0 == ":" || $0 == " " }
      cards[number] = (String(id), String(rest))
    }
    // `00-03: HDMI 0 : HDMI 0 : playback 1 : capture 1`
    return lines("/proc/asound/pcm").compactMap { line in
      let fields = line.split(separator: ":").map { field in
        String(field.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
      }
      let numbers = (fields.first ?? "").split(separator: "-").compactMap { Int($0) }
      guard numbers.count == 2, fields.count > 2, let card = cards[numbers[0]] else { return nil }
      return SoundDevice(
        cardNumber: numbers[0],
        cardID: card.id,
        cardName: card.name,
        number: numbers[1],
        name: fields[1],
        canPlay: fields.contains { $0.hasPrefix("playback") },
        canCapture: fields.contains { $0.hasPrefix("capture") },
      )
    }
  }
}
