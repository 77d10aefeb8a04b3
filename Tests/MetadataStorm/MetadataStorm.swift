// SPDX-License-Identifier: MIT

import JACK

/// A JACK client that writes metadata, or only reads it, as fast as it can: MetadataStorm NAME SERVER write|read COUNT.
///
/// A process of its own, because libjack lets one thread of a process into the store at a time.
@main
struct MetadataStorm {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 5, ["write", "read"].contains(arguments[3]),
      let count = Int(arguments[4])
    else { fatalError("usage: MetadataStorm NAME SERVER write|read COUNT") }
    let name = arguments[1]
    let client = try OpenedClient.open(name: name, server: arguments[2])
    let connection = client.connection
    for round in 0..<count {
      let key = MetadataKey(rawValue: "https://example.org/\(round % 12)")
      if arguments[3] == "read" {
        _ = try connection.metadata(for: key, of: connection.uuid)
      } else {
        // Long ones go over more than one page of the store.
        let text = String(repeating: name, count: 4 + round * 37 % 100)
        try connection.setMetadata(MetadataValue(text), for: key, of: connection.uuid)
      }
    }
    client.close()
  }
}
