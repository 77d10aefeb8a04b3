// SPDX-License-Identifier: MIT

internal import Glibc
internal import JACK
internal import Logging
internal import ServerControl
internal import SystemSupport

/// The guard: waits for the host's death, and keeps what was heard audible, and captures cut, until the host returns.
///
/// It has no audio: its JACK client is never activated, so it costs no cycle. While the host lives, the guard
/// only keeps the last orders. When the host dies, it connects those adopted clients to the hardware that were heard at full
/// level (``GuardPatch``), gives back the server's buffer size and settings (HW-8), removes the names that the host has given
/// its ports, and keeps captures from clients without a permission (``CaptureWatch``). It ends as soon as the next host's guard
/// takes its seat (``GuardSeat``). A host that a signal has stopped is as good as dead, and is killed.
public enum GuardProcess {
  private static let lifeMilliseconds: Int32 = 250
  private static let watchMilliseconds: Int32 = 10
  /// The time after which a stopped host counts as dead, in nanoseconds.
  private static let stopLimitNanoseconds: UInt64 = 750_000_000

  /// Guards as long as it has orders.
  ///
  /// - Parameters:
  ///   - host: The host's name.
  ///   - descriptor: The guard's end of the channel.
  ///
  /// [control-thread]
  public static func run(host: String, descriptor: Int32 = 0) async {
    let hostPID = getppid()
    let seat = GuardSeat(host: host)
    seat?.take()
    let channel = GuardChannel(descriptor: descriptor)
    var orders: GuardOrders?
    var client: OpenedClient?
    var stoppedNanoseconds: UInt64?
    while true {
      let input = channel.receive(limitMilliseconds: lifeMilliseconds)
      endStopped(hostPID, since: &stoppedNanoseconds)
      switch input {
      case .orders(let new):
        if new.isEnd { return }
        if new.server != orders?.server || new.client != orders?.client { client = nil }
        seat?.listen(token: new.token)
        orders = new
      case .nothing: break
      case .closed:
        guard let orders else { return }
        if client == nil { client = open(orders) }
        if let connection = client?.connection {
          await standIn(orders, afterEndOf: hostPID, connection, seat)
        } else {
          await orders.settings?.giveBack(logger: Logger(label: "guard"))
        }
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
    try? OpenedClient.open(name: orders.client, server: orders.server)
  }

  /// Kills the host once a signal has stopped it for a while: it answers nobody, its outputs repeat one period for ever, and
  /// each JACK client that is opened waits for it.
  private static func endStopped(_ hostPID: Int32, since stopped: inout UInt64?) {
    guard getppid() == hostPID, StoppedProcess.isStopped(hostPID) else {
      stopped = nil
      return
    }
    let now = HostClock.nowNanoseconds()
    let since = stopped ?? now
    stopped = since
    if now - since >= stopLimitNanoseconds { MetadataMark.killOutside(hostPID) }
  }

  // MARK: - After the host's death

  private static func standIn(
    _ orders: GuardOrders,
    afterEndOf hostPID: Int32,
    _ connection: ClientConnection,
    _ seat: GuardSeat?,
  ) async {
    patch(orders, connection)
    var captures = CaptureWatch(orders, on: connection.asGuardedServer)
    // The server does so, too, unless it is killed with the host.
    connection.removeLeftDescriptions(afterEndOf: hostPID) { captures.enforce() }
    await orders.settings?.giveBack(logger: Logger(label: "guard"))
    // Without a seat nothing would end it.
    guard let seat, !orders.placements.isEmpty || !orders.cuts.isEmpty || orders.captures != nil
    else { return }
    while !connection.isServerGone {
      captures.enforce()
      switch seat.receive(limitMilliseconds: watchMilliseconds) {
      case .host(let pid): captures.nextHost = pid
      case .end: return
      case nil: break
      }
      // The next host may die before its guard is here.
      if let next = captures.nextHost, Machine.this.state(of: next) == .ended {
        captures.nextHost = nil
      }
    }
  }

  /// Connects clients of the dead host to the hardware, and gives back the buffer size.
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
}
