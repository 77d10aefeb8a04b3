// SPDX-License-Identifier: MIT

import ControlProtocol
import FoundationEssentials

/// A value as one line of JSON.
enum JSONLine {
  /// The line, without its end.
  static func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}
