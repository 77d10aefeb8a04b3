// SPDX-License-Identifier: MIT

internal import JACK

/// Keeps a client's inputs connected with the ports of the input route.
struct InputPatch {
  /// What each input was connected with last.
  private var patched: [Int: String] = [:]

  /// Connects inputs that have another port than before, or none.
  ///
  /// What has come in between meanwhile stays while the port is the same: it is the host's gate of the permission.
  ///
  /// - Parameters:
  ///   - connection: The client.
  ///   - inputs: For each input its port's name, nil for silence.
  /// - Throws: What JACK said.
  mutating func follow(
    _ connection: ClientConnection,
    _ inputs: [String?],
  ) throws(JACKError) {
    for (index, wanted) in inputs.enumerated() {
      let own = "\(connection.name):in_\(index + 1)"
      var connected = try connection.connections(ofPort: own)
      if patched[index] != wanted {
        for other in connected { try connection.disconnect(other, from: own) }
        connected = []
      }
      patched[index] = wanted
      if let wanted, connected.isEmpty { _ = try connection.connect(wanted, to: own) }
    }
  }
}
