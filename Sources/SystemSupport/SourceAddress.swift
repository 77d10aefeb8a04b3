// SPDX-License-Identifier: MIT

internal import Glibc

/// The addresses of this machine, as the kernel chooses them. [any-thread]
package enum SourceAddress {
  /// The address of this machine from which packets to a peer leave.
  ///
  /// Nothing is sent: the kernel only looks the way up.
  ///
  /// - Parameters:
  ///   - peer: The peer's IPv4 address.
  ///   - port: The peer's port.
  /// - Returns: The IPv4 address; nil for a peer without a way to it.
  package static func towards(_ peer: String, port: Int) -> String? {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
    guard unsafe inet_pton(AF_INET, peer, &address.sin_addr) == 1 else { return nil }
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isFound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe connect(descriptor, address, size) == 0
          && getsockname(descriptor, address, &size) == 0
      }
    }
    guard isFound else { return nil }
    var text = [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN))
    guard
      unsafe inet_ntop(AF_INET, &address.sin_addr, &text, socklen_t(INET_ADDRSTRLEN)) != nil
    else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
