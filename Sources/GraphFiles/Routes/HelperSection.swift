// SPDX-License-Identifier: MIT

internal import YAML

/// The keys of a route's `device`.
enum DeviceKey: String, SectionKey {
  static let section = "device"
  case name, channels, sampleRate, frames, periods, slack
}

/// The keys of a route's `njbridge`.
enum NJBridgeKey: String, SectionKey {
  static let section = "njbridge"
  case address, port, channels, samples, buffer
}

/// The keys of a route's `jacktrip`.
enum JackTripKey: String, SectionKey {
  static let section = "jacktrip"
  case address, port, peerPort, channels, queue, redundancy, bits
}

extension GraphFile.Route.Device {
  /// Reads the device's name alone, or a mapping.
  init(_ field: Field) {
    self.init(name: "")
    if case .scalar = field.node.content {
      name = field.argument(allowed: "an ALSA device such as hw:1") ?? ""
      return
    }
    guard let section: Section<DeviceKey> = field.section() else { return }
    name =
      section.required(.name, example: "hw:1")?.argument(allowed: "an ALSA device such as hw:1")
      ?? ""
    channels = section[.channels]?.integer(in: 1...64) ?? channels
    sampleRateHz = section[.sampleRate]?.frequencyHz(in: 8_000...384_000).map { Int($0) }
    periodFrames = section[.frames]?.integer(in: 16...8_192)
    periods = section[.periods]?.integer(in: 2...8)
    slackDuration = section[.slack]?.duration(in: .zero...(.milliseconds(500))) ?? slackDuration
  }
}

extension GraphFile.Route.NJBridge {
  init(_ section: Section<NJBridgeKey>) {
    self.init(
      address: section.required(.address, example: "192.0.2.7")?
        .networkAddress(takesNames: false) ?? "",
      port: section.required(.port, example: "30000")?.integer(in: 1...65_535) ?? 0,
    )
    channels = section[.channels]?.integer(in: 1...64) ?? channels
    samples = section[.samples]?.choice() ?? samples
    bufferDuration =
      section[.buffer]?.duration(in: .zero...(.milliseconds(500))) ?? bufferDuration
  }
}

extension GraphFile.Route.JackTrip {
  init(_ section: Section<JackTripKey>) {
    address = section[.address]?.networkAddress(takesNames: true)
    port = section[.port]?.integer(in: 1...65_535) ?? port
    peerPort = section[.peerPort]?.integer(in: 1...65_535) ?? peerPort
    channels = section[.channels]?.integer(in: 1...64) ?? channels
    queuePackets = section[.queue]?.integer(in: 2...64) ?? queuePackets
    redundancy = section[.redundancy]?.integer(in: 1...8) ?? redundancy
    bits = section[.bits]?.integer(in: 8...32) ?? bits
    if ![8, 16, 24, 32].contains(bits) {
      section[.bits]?.error("\(bits) is not possible; allowed: 8, 16, 24, 32")
    }
  }
}

extension Field {
  /// The address of a machine.
  fileprivate func networkAddress(takesNames: Bool) -> String? {
    let allowed = "an IP address such as 192.0.2.7" + (takesNames ? ", or a host's name" : "")
    guard let text = argument(allowed: allowed) else { return nil }
    let address = NetworkAddress(text)
    guard address == .numeric || takesNames && address == .name else {
      error("\(MessageText.quoted(text)) is not an address; write \(allowed)")
      return nil
    }
    return text
  }

  /// A text that can be an argument of a program: it does not look like an option.
  fileprivate func argument(allowed: String) -> String? {
    guard let text = text(allowed: allowed) else { return nil }
    guard !text.hasPrefix("-"), !text.contains(" ") else {
      error("\(MessageText.quoted(text)) begins with '-' or has a blank; write \(allowed)")
      return nil
    }
    return text
  }
}
