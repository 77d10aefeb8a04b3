// SPDX-License-Identifier: MIT

internal import SystemSupport

/// Sound cards, and power saving that disturbs them.
extension Machine {
  func devices() -> [Finding] { [cards()] + suspendingUSB() }

  private func cards() -> Finding {
    let subject = "sound cards"
    // ` 0 [PCH            ]: HDA-Intel - HDA Intel PCH`, and a second line with details.
    let cards = lines("/proc/asound/cards").compactMap { line -> String? in
      guard let open = line.firstIndex(of: "["), let close = line.firstIndex(of: "]"), open < close,
        let number = line[..<open].split(separator: " ").first, Int(number) != nil
      else { return nil }
      let id = line[line.index(after: open)..<close].split(separator: " ").first ?? ""
      return "hw:\(id)"
    }
    guard cards.isEmpty else { return .ok(subject, cards.joined(separator: ", ")) }
    return .advice(
      subject,
      "none that ALSA knows",
      cost: "no sound: the host starts JACK's dummy driver",
    )
  }

  /// One finding for each audio device on USB, or one for all without a fault.
  private func suspendingUSB() -> [Finding] {
    let folder = "/sys/bus/usb/devices"
    let entries = names(in: folder)
    // `1-2:1.0` is an interface of the device `1-2`; class 1 is audio.
    let devices = Set(
      entries.filter { text("\(folder)/\($0)/bInterfaceClass") == "01" }
        .compactMap { $0.split(separator: ":").first.map(String.init) }
    ).sorted()
    let suspending = devices.filter { text("\(folder)/\($0)/power/control") == "auto" }
    guard !suspending.isEmpty else {
      return devices.isEmpty ? [] : [.ok("USB audio power", "always on")]
    }
    return suspending.map { device in
      let product = text("\(folder)/\(device)/product") ?? device
      return .advice(
        "USB audio power",
        "\(product) may be suspended when it is idle",
        cost: "the first sound after silence comes late or is cut, and some devices vanish",
        remedy: "echo on | sudo tee \(folder)/\(device)/power/control",
      )
    }
  }
}
