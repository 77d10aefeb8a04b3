// SPDX-License-Identifier: MIT

internal import Patchbay

/// The signal path of an adopted client through its strip to the hardware.
extension AdoptedClient {
  /// The connections that feed its strip.
  ///
  /// - Parameters:
  ///   - strip: The strip's id.
  ///   - client: The name of the host's client.
  /// - Returns: A rule with a channel for each output that feeds the strip.
  func connectionRule(strip: String, client: String) -> ConnectionRule {
    ConnectionRule(
      owner: strip,
      direction: .intoHost,
      channels: ports.filter(feedsStrip).map { port in
        ConnectionRule.Channel(
          ownPort: stripPort(of: port, strip: strip, client: client),
          target: .named(port),
        )
      },
    )
  }

  /// The full name of the strip's port that an output feeds.
  func stripPort(of port: String, strip: String, client: String) -> String {
    "\(client):\(PortNames.strip(strip, channel: channel(of: port) ?? 0))"
  }

  /// The matrix from its strip to a route, so that each output is heard where it was placed.
  ///
  /// - Parameter places: The hardware ports of each channel of the route.
  /// - Returns: A row for each channel of the route with a column for each of the strip; nil where no
  ///   output was placed on this route.
  func matrix(to places: [[String]]) -> [[Float]]? {
    var matrix = places.map { _ in [Float](repeating: 0, count: channels) }
    var isPlaced = false
    for (row, hardware) in places.enumerated() {
      for port in ports {
        guard let column = channel(of: port),
          !(destinations[port] ?? []).isDisjoint(with: hardware)
        else { continue }
        matrix[row][column] = 1
        isPlaced = true
      }
    }
    return isPlaced ? matrix : nil
  }
}
