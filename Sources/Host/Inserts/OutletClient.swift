// SPDX-License-Identifier: MIT

internal import JACK

/// The client by which what comes back from a route's effects is heard: `HOST-ROUTE-out`.
///
/// Were the effects connected with the hardware themselves, it would repeat the last cycle of one that dies until
/// the server has taken it away. This client has no inputs, so that JACK waits for nobody before it runs; what it
/// plays it has from the mix and the route's ``ReturnClient`` by ``CycleHandover``s, in the same cycle (IAA-6,
/// IAA-7). Belongs to the control thread.
@safe
final class OutletClient {
  let connection: ClientConnection
  /// Channel by channel.
  let ports: [AudioOutputPort]
  let link: OutletLink

  private var client: ActiveClient?
  private let state: UnsafeMutablePointer<OutletProcess>

  /// Opens the client and registers its ports.
  ///
  /// - Parameters:
  ///   - route: The route.
  ///   - label: Its name for people; nil takes `route`.
  ///   - channels: How many it has.
  ///   - taker: Takes what comes back; must outlive this object.
  ///   - fadeFrames: How long going in or out of the effects takes.
  ///   - mix: The host's main client.
  /// - Throws: What JACK said; there is no client then.
  init(
    route: String,
    label: String?,
    channels: Int,
    taker: UnsafeMutablePointer<ReturnTaker>,
    fadeFrames: Int,
    for mix: ClientConnection,
  ) throws(JACKError) {
    let opened = try OpenedClient.open(
      name: PortNames.outletClient(of: mix.name, route: route),
      server: mix.server,
    )
    connection = opened.connection
    var order = 0
    ports = try connection.registerGroup(
      "\(route) effects",
      label: "\(label ?? route) effects",
      names: (0..<channels).map { PortNames.outlet(channel: $0) },
      order: &order,
    )
    link = OutletLink(channels: channels)
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(
      to: OutletProcess(ports, link: link, taker: taker, fadeFrames: fadeFrames)
    )
    connection.introduce(
      as: "\(mix.name): \(label ?? route) out",
      icon: "multimedia-volume-control",
    )
    client = try unsafe opened.activate(
      process: outletProcess,
      context: UnsafeMutableRawPointer(state),
    )
  }

  /// The full names of its ports.
  var names: [String] {
    ports.indices.map { "\(connection.name):\(PortNames.outlet(channel: $0))" }
  }

  /// How much what comes back is trusted, 0 … 1: nothing for a while after it has been missing.
  var trust: Double { unsafe state.pointee.landedTrust }

  /// Closes the client and frees what its callback used.
  ///
  /// - Parameter isGiven: Whether the mix may still give to it: then the memory stays, as it does where libjack does
  ///   not come back in time.
  /// - Returns: Whether what it took from can be freed.
  func close(isGiven: Bool) -> Bool {
    guard let client = client.take(), client.close() != .timedOut else { return false }
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
    if !isGiven { link.free() }
    return true
  }
}
