// SPDX-License-Identifier: MIT

internal import Glibc
internal import Synchronization
internal import SystemSupport

/// Reads, while a client is closed, what jackd still writes to it.
///
/// libjack stops reading notifications before it asks jackd to close. Where many clients leave
/// together, jackd writes more to this client than its socket holds, some forty notifications, and
/// waits until they are read: the server answers no client until this process ends.
///
/// Safe from any thread: [any-thread].
final class NotificationDrain: Sendable {
  /// Time after which unread notifications count as never read by libjack.
  private static let stallMicroseconds: UInt32 = 200_000
  private static let pauseMicroseconds: UInt32 = 20_000

  private let socket: Int32
  private let isOver = Atomic<Bool>(false)

  /// The client's socket; nil without one, as under PipeWire.
  ///
  /// - Parameter client: The client's name.
  init?(client: String) {
    // libjack makes file names from client names like this.
    let name = String(client.map { $0 == "/" || $0 == "\\" ? "_" : $0 })
    let path = "/dev/shm/jack_\(name)_\(getuid())_0"
    let found = Machine.this.names(in: "/proc/self/fd").lazy.compactMap { Int32($0) }
      .first { Self.path(of: $0) == path && !Self.isListening($0) }
    // A copy, because libjack closes its own at an unknown moment.
    guard let found, case let copy = fcntl(found, F_DUPFD_CLOEXEC, 0), copy >= 0 else {
      return nil
    }
    socket = copy
  }

  deinit { Glibc.close(socket) }

  /// Closes the client, and drains its socket meanwhile.
  ///
  /// - Parameter close: Closes it; it may block.
  func drain(while close: () -> Void) {
    // Without a thread the client is closed as any other program closes it.
    _ = BackgroundThread.start(name: "jack-drain") { self.run() }
    close()
    isOver.store(true, ordering: .releasing)
  }

  private func run() {
    var before: Int32 = 0
    var stalledFor: UInt32 = 0
    while !isOver.load(ordering: .acquiring) {
      usleep(Self.pauseMicroseconds)
      if stalledFor < Self.stallMicroseconds {
        let unread = unreadBytes
        stalledFor = unread > 0 && unread >= before ? stalledFor + Self.pauseMicroseconds : 0
        before = unread
      } else {
        // A reader that has stopped once does not begin again.
        discard()
      }
    }
  }

  private var unreadBytes: Int32 {
    var bytes: Int32 = 0
    return unsafe ioctl(socket, UInt(FIONREAD), &bytes) == 0 ? bytes : 0
  }

  private func discard() {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while unsafe recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT)) > 0 {}
  }

  /// Path at which a socket of this process was accepted.
  private static func path(of socket: Int32) -> String? {
    var address = sockaddr_un()
    var length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = unsafe withUnsafeMutablePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(socket, $0, &length)
      }
    }
    guard result == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
    return unsafe withUnsafeBytes(of: address.sun_path) {
      unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  private static func isListening(_ socket: Int32) -> Bool {
    var value: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    let result = unsafe getsockopt(socket, SOL_SOCKET, SO_ACCEPTCONN, &value, &length)
    return result == 0 && value != 0
  }
}
