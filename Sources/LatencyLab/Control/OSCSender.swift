// SPDX-License-Identifier: MIT

import OSC

/// The OSC client of `bench control`, and the UDP port for the host to listen on.
///
/// Belongs to the control thread.
final class OSCSender {
  /// The host's port.
  let hostPort: Int
  private let peer: OSCPeer

  /// Opens the client's own port, and finds one for the host that nobody uses.
  ///
  /// - Throws: ``LabError`` `tool` where there is none.
  init() throws(LabError) {
    hostPort = try Self.wrapping { () throws(OSCError) in
      // The port is free again when this peer is gone.
      let port = try OSCPeer { _ in }.url.split(separator: ":").last?.prefix(while: \.isNumber)
      guard let number = port.flatMap({ Int($0) }) else { throw OSCError("no UDP port is free") }
      return number
    }
    // The host's complaints, if any, are of no use: the recording tells what it did.
    peer = try Self.wrapping { () throws(OSCError) in try OSCPeer { _ in } }
  }

  /// Sends a number to an address of the host.
  ///
  /// - Parameters:
  ///   - number: The number.
  ///   - address: The OSC address.
  /// - Throws: ``LabError`` `tool` where it cannot be sent.
  func send(_ number: Double, to address: String) throws(LabError) {
    try Self.wrapping { () throws(OSCError) in
      try peer.send(address, [.float(Float(number))], to: "osc.udp://127.0.0.1:\(hostPort)/")
    }
  }

  private static func wrapping<Value>(
    _ body: () throws(OSCError) -> Value
  ) throws(LabError) -> Value {
    do throws(OSCError) {
      return try body()
    } catch {
      throw LabError(.tool, error.description)
    }
  }
}
