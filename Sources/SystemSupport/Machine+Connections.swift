// SPDX-License-Identifier: MIT

/// The TCP connections of a machine. [any-thread]
extension Machine {
  /// One end of a TCP connection over IPv4.
  package struct Endpoint: Sendable, Hashable {
    /// The address, such as `127.0.0.1`.
    package let address: String
    /// The port.
    package let port: Int

    /// Makes an end from its parts.
    package init(address: String, port: Int) {
      self.address = address
      self.port = port
    }

    /// The form of proc_pid_net(5): the address as a number of the machine's byte order; nil for another kind of address.
    fileprivate var digits: String? {
      let parts = address.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
      guard parts.count == 4 else { return nil }
      var number: UInt32 = 0
      for part in parts {
        guard let part else { return nil }
        number = number << 8 | UInt32(part)
      }
      return Self.hexadecimal(Int(number.bigEndian), 8) + ":" + Self.hexadecimal(port, 4)
    }

    private static func hexadecimal(_ number: Int, _ count: Int) -> String {
      let digits = String(number, radix: 16, uppercase: true)
      return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
  }

  /// The user who opened a socket of this machine, while it is connected and in use.
  ///
  /// - Parameters:
  ///   - local: The socket's own end.
  ///   - remote: Its other end.
  /// - Returns: The user's number; nil for a socket that nobody holds any more, and where the kernel does not tell.
  package func user(ofSocketAt local: Endpoint, connectedTo remote: Endpoint) -> UInt32? {
    guard let ends = [local.digits, remote.digits] as? [String] else { return nil }
    for line in lines("/proc/net/tcp") {
      let fields = line.split(separator: " ")
      guard fields.count > 9, fields[1] == ends[0], fields[2] == ends[1] else { continue }
      // A socket without a holder has no inode, and counts as root's.
      guard fields[3] == "01", fields[9] != "0" else { return nil }
      return UInt32(fields[7])
    }
    return nil
  }
}
