// SPDX-License-Identifier: MIT

/// A device of a sound card, as ALSA lists it.
struct SoundDevice: Sendable, Hashable {
  /// ALSA's number of the card, which depends on the order of plugging.
  let cardNumber: Int
  /// The card's id, which stays: `USB`, `PCH`.
  let cardID: String
  /// The card's driver and name.
  let cardName: String
  /// The number of the device on the card.
  let number: Int
  /// What the driver calls it, such as `HDMI 0`.
  let name: String
  let canPlay: Bool
  let canCapture: Bool

  /// ALSA's name of it.
  var alsaName: String { "hw:\(cardID),\(number)" }

  /// What kind of device it is when used in a direction.
  func portType(isOutput: Bool) -> String {
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

extension Machine {
  /// The sound devices that ALSA knows now.
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
