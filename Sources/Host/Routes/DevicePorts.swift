// SPDX-License-Identifier: MIT

/// The ports of devices as they are proposed for routes. [any-thread]
enum DevicePorts {
  /// Full names of ports, first those that PipeWire and jackd name like a device's.
  ///
  /// PipeWire marks the inputs of virtual sources (`input_FL`) as hardware, too.
  static func inOrder(_ names: [String]) -> [String] {
    names.filter(isNamedLikeDevice) + names.filter { !isNamedLikeDevice($0) }
  }

  /// Whether a port is called `playback_…` or `capture_…`.
  static func isNamedLikeDevice(_ name: String) -> Bool {
    let short = name.split(separator: ":").last ?? ""
    return short.hasPrefix("playback_") || short.hasPrefix("capture_")
  }

  /// A name in double quotes, as YAML reads it.
  static func quoted(_ name: String) -> String {
    let signs = name.unicodeScalars.map { sign in
      switch sign {
      case "\"", "\\": "\\\(sign)"
      case _ where sign.value < 0x20 || sign.value == 0x7F:
        "\\x" + (sign.value < 0x10 ? "0" : "") + String(sign.value, radix: 16)
      default: String(sign)
      }
    }
    return "\"\(signs.joined())\""
  }
}
