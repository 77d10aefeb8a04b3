// SPDX-License-Identifier: MIT

/// A service that other machines of the network can find by its type (DNS-SD over multicast DNS).
///
/// Pure value: [any-thread].
package struct NetworkService: Hashable, Sendable {
  /// The type, such as `_osc._udp`.
  package let type: String
  /// The port.
  package let port: UInt16
  /// The entries of the TXT record, such as `path=/`.
  package let texts: [String]

  /// Makes a service; the first entry of its TXT record is the version of the record, as RFC 6763 asks for.
  package init(type: String, port: UInt16, texts: [String] = []) {
    self.type = type
    self.port = port
    self.texts = ["txtvers=1"] + texts
  }

  /// The longest name of a service in bytes of UTF-8.
  static let nameBytes = 63

  /// A name as far as a service can have it: cut at a character, without control characters.
  static func name(fitting name: String) -> String {
    var fitting = ""
    for character in name where !character.unicodeScalars.contains(where: { $0.value < 0x20 }) {
      guard fitting.utf8.count + character.utf8.count <= nameBytes else { break }
      fitting.append(character)
    }
    return fitting.isEmpty ? "MultiRoute" : fitting
  }
}

/// The state of an announcement after a change.
///
/// Pure value: [any-thread].
package enum AnnouncementNews: Hashable, Sendable {
  /// The services can be found under this name, and the machine under that of its host, such as `stage.local`; nil if that is unknown.
  ///
  /// Each of them has a number behind it where it was taken.
  case announced(as: String, host: String?)
  /// Nobody can find the services, for this reason.
  case lost(String)
}
