// SPDX-License-Identifier: MIT

internal import FoundationEssentials
internal import Glibc

/// The address of a session manager, and the test whether a message comes from there.
///
/// Pure value: [any-thread].
struct ManagerAddress: Sendable {
  /// The address as OSC libraries write it.
  let url: String
  private let port: Int
  /// The numeric addresses of the manager's machine.
  private let hosts: Set<String>

  /// Reads an address, and looks its host up.
  ///
  /// - Throws: ``NSMError`` unless it is an address of UDP with a known host and a port.
  init(url: String) throws(NSMError) {
    guard let parts = URLComponents(string: url), let host = parts.host, !host.isEmpty,
      let port = parts.port, (1...65_535).contains(port)
    else {
      throw NSMError("'\(url.prefix(200))' is no address; allowed: osc.udp://HOST:PORT/")
    }
    guard parts.scheme == "osc.udp" else {
      throw NSMError(
        "'\(url.prefix(200))' is not an address of UDP; allowed: osc.udp://HOST:PORT/"
      )
    }
    let hosts = Self.addresses(of: host)
    guard !hosts.isEmpty else {
      throw NSMError("'\(url.prefix(200))': the machine '\(host.prefix(100))' is not known")
    }
    self.url = url
    self.port = port
    self.hosts = hosts
  }

  /// Whether a message with this sender's address comes from the manager.
  ///
  /// A manager on this machine may answer from any address of the machine.
  func isSender(_ sender: String) -> Bool {
    guard let parts = URLComponents(string: sender), let host = parts.host, parts.port == port
    else { return false }
    let senders = Self.addresses(of: host)
    if !senders.isDisjoint(with: hosts) { return true }
    let own = Self.ownAddresses()
    let isOwn = { (address: String) in address.hasPrefix("127.") || own.contains(address) }
    return senders.contains(where: isOwn) && hosts.contains(where: isOwn)
  }

  /// The numeric addresses of a host; none for an unknown host.
  private static func addresses(of host: String) -> Set<String> {
    // Addresses of IPv6 stand in brackets in a URL.
    let host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
    defer { unsafe freeaddrinfo(list) }
    var found: Set<String> = []
    var next = unsafe list
    while let entry = unsafe next {
      if let text = unsafe text(entry.pointee.ai_addr) { found.insert(text) }
      unsafe next = entry.pointee.ai_next
    }
    return found
  }

  /// The numeric addresses of this machine's network interfaces.
  private static func ownAddresses() -> Set<String> {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard unsafe getifaddrs(&list) == 0 else { return [] }
    defer { unsafe freeifaddrs(list) }
    var found: Set<String> = []
    var next = unsafe list
    while let entry = unsafe next {
      if let text = unsafe text(entry.pointee.ifa_addr) { found.insert(text) }
      unsafe next = entry.pointee.ifa_next
    }
    return found
  }

  /// The numeric form of an IPv4 or IPv6 address; nil for another kind.
  private static func text(_ address: UnsafeMutablePointer<sockaddr>?) -> String? {
    guard let address = unsafe address else { return nil }
    let size: Int
    switch unsafe Int32(address.pointee.sa_family) {
    case AF_INET: size = MemoryLayout<sockaddr_in>.size
    case AF_INET6: size = MemoryLayout<sockaddr_in6>.size
    default: return nil
    }
    var bytes = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    guard
      unsafe getnameinfo(
        address,
        socklen_t(size),
        &bytes,
        socklen_t(bytes.count),
        nil,
        0,
        NI_NUMERICHOST
      ) == 0
    else { return nil }
    let text = String(
      decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
      as: UTF8.self
    )
    // An IPv4 sender on an IPv6 socket.
    return text.hasPrefix("::ffff:") ? String(text.dropFirst(7)) : text
  }
}
