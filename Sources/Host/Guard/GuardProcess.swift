// SPDX-License-Identifier: MIT

internal import Glibc
internal import JACK
internal import Logging
internal import ServerControl

/// The guard: waits for the host's death, and keeps the adopted clients audible until the host returns.
///
/// It has no audio: its JACK client is never activated, so it costs no cycle. While the host lives, the guard
/// only keeps the last orders. When the host dies, it connects the adopted clients to the hardware, gives back the
/// server's buffer size and settings (HW-8), removes the names that the host has given its ports, and keeps captures without a
/// permission disconnected. It ends as soon as a host of that name is back, which then moves the clients to their strips again.
public enum GuardProcess {
  private static let lifeMilliseconds: Int32 = 500
  private static let watchMilliseconds: UInt32 = 20

  /// Guards as long as it has orders.
  ///
  /// - Parameters:
  ///   - host: The host's name.
  ///   - descriptor: The guard's end of the channel.
  ///
  /// [control-thread]
  public static func run(host: String, descriptor: Int32 = 0) async {
    let hostPID = getppid()
    let lock = GuardLock(host: host)
    lock?.take()
    let channel = GuardChannel(descriptor: descriptor)
    var orders: GuardOrders?
    var client: OpenedClient?
    while true {
      let input = channel.receive(limitMilliseconds: lifeMilliseconds)
      switch input {
      case .orders(let new):
        if new.isEnd { return }
        if new.server != orders?.server || new.host != orders?.host { client = nil }
        orders = new
      case .nothing: break
      case .closed:
        guard let orders else { return }
        if client == nil { client = open(orders) }
        if let connection = client?.connection {
          patch(orders, connection)
          // The server does so, too, unless it is killed with the host.
          connection.removeLeftDescriptions(afterEndOf: hostPID) { keepCuts(orders, connection) }
        }
        await orders.settings?.giveBack(logger: Logger(label: "guard"))
        if let connection = client?.connection { watch(orders, connection) }
        return
      }
      if let orders, client?.connection.isServerGone == true,
        ServerIdentity.isListening(name: orders.server)
      {
        // Until now the host's names could be removed through it.
        client?.connection.removeLeftDescriptions()
        client = nil
      }
      if client == nil, let orders { client = open(orders) }
    }
  }

  private static func open(_ orders: GuardOrders) -> OpenedClient? {
    // The next message or moment tries again.
    try? OpenedClient.open(name: "\(orders.host)-guard", server: orders.server)
  }

  /// Connects the clients of the dead host to the hardware, and gives back the buffer size.
  private static func patch(_ orders: GuardOrders, _ connection: ClientConnection) {
    for placement in orders.placements {
      for hardware in placement.hardware {
        // A port that has gone with the host's death needs no connection.
        _ = try? connection.connect(placement.port, to: hardware)
      }
    }
    if let present = try? connection.bufferFrames,
      let frames = orders.buffer?.framesToGiveBack(presentFrames: Int(present))
    {
      // A server that has gone keeps no size.
      try? connection.setBufferFrames(UInt32(frames))
    }
  }

  /// Keeps captures cut until a host is back; ends at once where no client needs it.
  private static func watch(_ orders: GuardOrders, _ connection: ClientConnection) {
    guard !orders.placements.isEmpty || !orders.cuts.isEmpty else { return }
    var isGone = false
    while !connection.isServerGone {
      keepCuts(orders, connection)
      // The server may list a dead client for some cycles.
      let isThere = isThere(orders.host, connection)
      if isThere, isGone { return }
      isGone = isGone || !isThere
      usleep(watchMilliseconds * 1_000)
    }
  }

  private static func isThere(_ host: String, _ connection: ClientConnection) -> Bool {
    let ports = try? connection.ports(kind: AudioKind.self, flags: .output)
    return ports?.contains { $0.client == host } ?? false
  }

  private static func keepCuts(_ orders: GuardOrders, _ connection: ClientConnection) {
    for cut in orders.cuts {
      for port in (try? connection.connections(ofPort: cut.source)) ?? []
      where port.hasPrefix(cut.client + ":") {
        try? connection.disconnect(cut.source, from: port)
      }
    }
  }
}

/// Gives each host one guard: a new guard ends the one before it.
///
/// Belongs to the control thread of the guard's process.
final class GuardLock {
  private static let graceMilliseconds = 500

  private let descriptor: Int32

  /// Opens the lock of a host's guard, in the folder of the control socket.
  init?(host: String) {
    guard let directory = unsafe getenv("XDG_RUNTIME_DIR") else { return nil }
    let path = "\(unsafe String(cString: directory))/multiroute/\(host).guard"
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Takes the lock, from an older guard if need be, and leaves this process's id in it.
  func take() {
    var waitedMilliseconds = 0
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      // Only whoever holds the lock has its id in there.
      if let holder = holder() {
        kill(holder, waitedMilliseconds < Self.graceMilliseconds ? SIGTERM : SIGKILL)
      }
      usleep(10_000)
      waitedMilliseconds += 10
    }
    let text = Array("\(getpid())\n".utf8)
    ftruncate(descriptor, 0)
    _ = unsafe text.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }

  private func holder() -> Int32? {
    var text = [UInt8](repeating: 0, count: 16)
    let count = unsafe text.withUnsafeMutableBytes {
      unsafe pread(descriptor, $0.baseAddress, $0.count, 0)
    }
    guard count > 0 else { return nil }
    let line = text[..<count].prefix { $0 != UInt8(ascii: "\n") }
    return Int32(String(decoding: line, as: UTF8.self)).flatMap { $0 > 1 ? $0 : nil }
  }
}
