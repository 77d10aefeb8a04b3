// SPDX-License-Identifier: MIT

internal import Glibc

/// One end of the way from the host to its guard: whole messages, and the end of the other side.
///
/// A pair of sockets, so that the kernel tells the guard of the host's death, however it dies.
struct GuardChannel: Sendable {
  /// What came in.
  enum Input {
    case orders(GuardOrders)
    /// Nothing for the whole time.
    case nothing
    /// The other side is gone.
    case closed
  }

  let descriptor: Int32

  /// Makes both ends.
  ///
  /// - Returns: The host's end and the guard's; an errno value where the system has none.
  static func pair() -> (host: GuardChannel, guardian: GuardChannel)? {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
    var size = Int32(GuardOrders.sizeLimit)
    unsafe setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    return (GuardChannel(descriptor: ends[0]), GuardChannel(descriptor: ends[1]))
  }

  /// Sends orders, never waiting.
  ///
  /// - Returns: Whether they are under way.
  func send(_ orders: GuardOrders) -> Bool {
    guard let message = try? orders.message() else { return false }
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    let count = unsafe message.withUnsafeBytes {
      unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, flags)
    }
    return count == message.count
  }

  /// Waits for orders, but no longer than `limitMilliseconds`.
  func receive(limitMilliseconds: Int32) -> Input {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&waiting, 1, limitMilliseconds) > 0 else { return .nothing }
    var buffer = [UInt8](repeating: 0, count: GuardOrders.sizeLimit)
    let count = unsafe buffer.withUnsafeMutableBytes {
      unsafe recv(descriptor, $0.baseAddress, $0.count, 0)
    }
    guard count > 0 else { return count < 0 && errno == EINTR ? .nothing : .closed }
    return (try? GuardOrders(message: buffer[..<count])).map(Input.orders) ?? .nothing
  }

  func close() { _ = Glibc.close(descriptor) }
}
