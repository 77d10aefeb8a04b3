// SPDX-License-Identifier: MIT

import TestSupport
import Testing

/// An app for X-Air mixers, as documented messages describe it.
enum XAirApp {
  /// A host that is a mixer on its port.
  static func mixer() async throws -> SurfaceRig {
    try await SurfaceRig(surfaces: { "xair: {port: \($0)}" })
  }

  /// The bytes of a packet: `~` is a zero, `{3f000000}` are bytes in hex.
  static func bytes(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var hex: String?
    for character in text {
      switch (character, hex) {
      case ("{", nil): hex = ""
      case ("}", let digits?):
        bytes += stride(from: 0, to: digits.count, by: 2).compactMap { place in
          UInt8(digits.dropFirst(place).prefix(2), radix: 16)
        }
        hex = nil
      case (_, let digits?): hex = digits + String(character)
      case ("~", nil): bytes.append(0)
      default: bytes += Array(String(character).utf8)
      }
    }
    return bytes
  }

  /// A text with one to four zeros behind it.
  static func padded(_ text: String) -> String {
    text + String(repeating: "~", count: 4 - text.utf8.count % 4)
  }

  /// The question for a node.
  static func ask(node path: String) -> [UInt8] {
    bytes(padded("/node") + ",s~~" + padded(path))
  }

  /// Sends a packet, and expects these bytes as the next ones.
  static func expect(_ answer: String, to packet: String, _ app: RawSocket) async {
    await app.write(bytes(packet))
    let read = await app.read() ?? []
    #expect(read == bytes(answer), "\(packet): \(String(decoding: read, as: UTF8.self))")
  }
}
