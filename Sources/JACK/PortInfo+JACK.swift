// SPDX-License-Identifier: MIT

internal import CJACK

extension PortInfo {
  /// Reads what JACK knows; nil when the port has just gone.
  init?(port: OpaquePointer, of client: OpaquePointer) {
    let name = unsafe ClientConnection.string(jack_port_name(port))
    guard let colon = name.firstIndex(of: ":") else { return nil }
    self.init(
      name: name,
      client: String(name[..<colon]),
      shortName: String(name[name.index(after: colon)...]),
      type: unsafe ClientConnection.string(jack_port_type(port)),
      flags: unsafe PortFlags(rawValue: UInt32(bitPattern: jack_port_flags(port))),
      isMine: unsafe jack_port_is_mine(client, port) != 0,
      uuid: unsafe jack_port_uuid(port),
      aliases: unsafe Self.aliases(of: port),
    )
  }

  private static func aliases(of port: OpaquePointer) -> [String] {
    let size = Int(jack_port_name_size())
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 2 * size) { buffer in
      guard let first = buffer.baseAddress else { return [] }
      unsafe buffer.initialize(repeating: 0)
      let places = unsafe [first, first + size]
      let count = unsafe places.withUnsafeBufferPointer { places in
        unsafe places.withMemoryRebound(to: UnsafeMutablePointer<CChar>?.self) { places in
          unsafe jack_port_get_aliases(port, places.baseAddress)
        }
      }
      // PipeWire counts an alias that is empty.
      return unsafe places.prefix(Int(max(count, 0))).map { unsafe String(cString: $0) }
        .filter { !$0.isEmpty }
    }
  }
}
