// SPDX-License-Identifier: MIT

internal import Glibc
internal import JACK

/// The guard: waits for the host's death, and lets the show go on until the host returns.
///
/// It has no audio of its own: its JACK client is never activated, and costs no cycle. While the host lives it
/// only keeps the last orders. When the host dies it patches the adopted clients to the hardware, keeps
/// captures cut that nobody permitted, and ends as soon as a host of that name is back, which then moves the
/// clients to their strips again.
public enum GuardProcess {
  private static let lifeMilliseconds: Int32 = 500
  private static let watchMilliseconds: UInt32 = 20

  /// Guards until there is nothing left to guard.
  ///
  /// - Parameters:
  ///   - host: The host's name.
  ///   - descriptor: The guard's end of the channel.
  ///
  /// [control-thread]
  public static func run(host: String, descriptor: Int32 = 0) {
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
        guard let connection = client?.connection else { return }
        standIn(orders, connection)
        return
      }
      if client?.connection.isServerGone == true { client = nil }
      if client == nil, let orders { client = open(orders) }
    }
  }

  private static func open(_ orders: GuardOrders) -> OpenedClient? {
    // The next message or moment tries again.
    try? OpenedClient.open(name: "\(orders.host)-guard", server: orders.server)
  }

  /// Patches what the host had patched through itself, and watches until it is back.
  private static func standIn(_ orders: GuardOrders, _ connection: ClientConnection) {
    for placement in orders.placements {
      for hardware in placement.hardware {
        // What has gone with the host's death needs no connection.
        _ = try? connection.connect(placement.port, to: hardware)
      }
    }
    var isGone = false
    while !connection.isServerGone {
      for cut in orders.cuts { keep(cut, connection) }
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

  private static func keep(_ cut: GuardOrders.Cut, _ connection: ClientConnection) {
    for port in (try? connection.connections(ofPort: cut.source)) ?? []
    where port.hasPrefix(cut.client + ":") {
      try? connection.disconnect(cut.source, from: port)
    }
  }
}
