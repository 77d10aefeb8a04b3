// SPDX-License-Identifier: MIT

internal import Glibc

/// A connection over TCP or UDP, of which a test writes and reads every byte.
///
/// A call that has to wait does so on a thread of its own. [any-thread]
package final class RawSocket: Sendable {
  private let descriptor: Int32

  /// Connects to a port, of this machine unless an IPv4 address is given.
  ///
  /// - Parameters:
  ///   - port: The port.
  ///   - host: The address.
  ///   - isUDP: Whether each write and each read is one datagram.
  /// - Throws: ``TestFailure`` when nobody listens; over UDP that cannot be seen.
  package init(port: Int, at host: String = "127.0.0.1", isUDP: Bool = false) throws {
    descriptor = socket(AF_INET, Int32((isUDP ? SOCK_DGRAM : SOCK_STREAM).rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port).bigEndian)
    guard unsafe inet_pton(AF_INET, host, &address.sin_addr) == 1 else {
      close(descriptor)
      throw TestFailure("\(host) is no IPv4 address")
    }
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      close(descriptor)
      throw TestFailure("nobody listens on port \(port) of \(host)")
    }
  }

  deinit { close(descriptor) }

  /// Writes bytes, and waits until the kernel has them all; those that the other side does not take any more are lost.
  ///
  /// - Returns: Whether the connection still takes bytes.
  @discardableResult
  package func write(_ bytes: [UInt8]) async -> Bool {
    let (rest, fault) = send(bytes[...], Int32(MSG_DONTWAIT))
    guard fault == EAGAIN else { return rest.isEmpty }
    return await onOwnThread { self.send(rest, 0).rest.isEmpty }
  }

  /// Writes bytes until the kernel refuses some.
  ///
  /// - Returns: Those that are left, and why they are.
  private func send(
    _ bytes: ArraySlice<UInt8>,
    _ flags: Int32,
  ) -> (rest: ArraySlice<UInt8>, fault: Int32) {
    var rest = bytes
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | flags)
      }
      guard count > 0 else { return (rest, errno) }
      rest = rest.dropFirst(count)
    }
    return (rest, 0)
  }

  /// Reads what has come, and waits for the first of it.
  ///
  /// - Returns: Nil when nothing has come in time; empty when the other side has closed.
  package func read(withinMilliseconds limit: Int32 = 5_000) async -> [UInt8]? {
    if let bytes = take(withinMilliseconds: 0) { return bytes }
    guard limit > 0 else { return nil }
    return await onOwnThread { self.take(withinMilliseconds: limit) }
  }

  private func take(withinMilliseconds limit: Int32) -> [UInt8]? {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe Glibc.poll(&poll, 1, limit) > 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe bytes.withUnsafeMutableBytes {
      unsafe recv(descriptor, $0.baseAddress, $0.count, 0)
    }
    return Array(bytes.prefix(max(0, count)))
  }
}
