// SPDX-License-Identifier: MIT

internal import FoundationEssentials
internal import Glibc
internal import ServerControl

/// One end of the channel between the host and its guard: carries whole messages, and reports the other side's end.
///
/// A pair of sockets, because the kernel closes the host's end however the host dies. [any-thread]
struct GuardChannel: Sendable {
  /// The result of waiting for orders.
  enum Input {
    case orders(GuardOrders)
    /// A message did not come in time.
    case nothing
    /// The other side has ended.
    case closed
  }

  let descriptor: Int32

  /// Makes both ends.
  ///
  /// - Returns: The host's end and the guard's; nil if the system refuses.
  static func pair() -> (host: GuardChannel, guardian: GuardChannel)? {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
    var size = Int32(GuardOrders.sizeLimit)
    unsafe setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    return (GuardChannel(descriptor: ends[0]), GuardChannel(descriptor: ends[1]))
  }

  /// Sends orders without waiting.
  ///
  /// - Returns: Whether they went out.
  func send(_ orders: GuardOrders) -> Bool {
    guard let message = try? orders.message() else { return false }
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    let count = unsafe message.withUnsafeBytes {
      unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, flags)
    }
    return count == message.count
  }

  /// Waits for orders, at most for `limitMilliseconds`.
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

/// The guard's orders for the host's death: sent to it whole whenever they change.
///
/// Pure value: [any-thread].
struct GuardOrders: Codable, Sendable, Equatable {
  /// An output of an adopted client, and the ports of the hardware that it is heard at.
  struct Placement: Codable, Sendable, Equatable {
    var port: String
    var hardware: [String]
  }

  /// A capture that must stay cut, as the program has no permission (PRM-1).
  struct Cut: Codable, Sendable, Equatable {
    var source: String
    var client: String
  }

  /// The captures that only permitted clients may hear.
  struct Captures: Codable, Sendable, Equatable {
    /// The capture ports; the guard finds those by itself that come to the hardware later.
    var ports: [String]
    /// The clients that hear captures with a permission, or need none.
    var permitted: [String]
  }

  /// The largest message in bytes.
  static let sizeLimit = 1 << 20

  /// The JACK server's name.
  var server: String
  /// The name of the guard's client.
  var client: String
  /// The connections to make.
  var placements: [Placement]
  /// The connections to keep cut.
  var cuts: [Cut]
  /// The captures to keep from all clients without a permission; nil where permissions are not needed.
  var captures: Captures?
  /// The word by which the guard knows the next host (``GuardSeat``).
  var token: String
  /// The buffer size to give back (HW-8); nil for none.
  var buffer: BufferLoan?
  /// The settings of the server to give back (HW-8); nil for none.
  var settings: ServerLoan?
  /// Whether the host ends in an orderly manner; the guard ends then too.
  var isEnd = false

  /// The orders as one message.
  func message() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return Array(try encoder.encode(self))
  }

  /// Reads a message.
  init(message: some Collection<UInt8>) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(message))
  }

  init(
    server: String,
    client: String,
    placements: [Placement],
    cuts: [Cut],
    captures: Captures? = nil,
    token: String = "",
    buffer: BufferLoan? = nil,
    settings: ServerLoan? = nil,
    isEnd: Bool = false,
  ) {
    self.server = server
    self.client = client
    self.placements = placements
    self.cuts = cuts
    self.captures = captures
    self.token = token
    self.buffer = buffer
    self.settings = settings
    self.isEnd = isEnd
  }
}
