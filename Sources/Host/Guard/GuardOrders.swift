// SPDX-License-Identifier: MIT

internal import FoundationEssentials

/// What the guard is to do when the host dies: sent to it whole whenever it changes.
struct GuardOrders: Codable, Sendable, Equatable {
  /// An output of an adopted client, and the ports of the hardware that it is heard at.
  struct Placement: Codable, Sendable, Equatable {
    var port: String
    var hardware: [String]
  }

  /// A capture that must stay cut, as the program has no permission (PRM-1).
  struct Cut: Codable, Sendable, Equatable {
    var source: String
    var client: String
  }

  /// The largest message in bytes.
  static let sizeLimit = 1 << 20

  /// The JACK server's name.
  var server: String
  /// The name of the host's client.
  var host: String
  /// What to patch.
  var placements: [Placement]
  /// What to keep cut.
  var cuts: [Cut]
  /// Whether the host ends in an orderly way, so that nothing is left to do.
  var isEnd = false

  /// The orders as one message.
  func message() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return Array(try encoder.encode(self))
  }

  /// Reads a message.
  init(message: some Collection<UInt8>) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(message))
  }

  init(server: String, host: String, placements: [Placement], cuts: [Cut], isEnd: Bool = false) {
    self.server = server
    self.host = host
    self.placements = placements
    self.cuts = cuts
    self.isEnd = isEnd
  }
}
