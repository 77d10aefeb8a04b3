// SPDX-License-Identifier: MIT

import ControlProtocol
import FoundationEssentials

/// A value as one line of JSON.
enum JSONLine {
  /// The line, without its end; silence in dB is the string "-inf", as on the socket.
  static func text(_ value: some Encodable) throws -> String {
    String(decoding: try JSONCoding.encoder().encode(value), as: UTF8.self)
  }
}
