// SPDX-License-Identifier: MIT

internal import JACK

/// The client through which a strip or route hears nodes: `HOST-STRIP`, `HOST-ROUTE`.
///
/// JACK runs a client when all before it have run. So that a node which dies or hangs holds up nobody but its
/// place, what nodes give ends here, and goes on to the mix or the route's ``OutletClient`` by a
/// ``CycleHandover`` in the same cycle (IAA-6, IAA-7). Belongs to the control thread.
@safe
final class ReturnClient {
  let connection: ClientConnection
  /// Where a node that is the strip's source comes in; none for other places.
  let inlets: [AudioInputPort]
  /// Where the sound comes back from effects.
  let returns: [AudioInputPort]
  let handover: CycleHandover

  private var client: ActiveClient?
  private let state: UnsafeMutablePointer<ReturnProcess>

  /// Opens the client and registers its ports.
  ///
  /// - Parameters:
  ///   - place: The strip or route.
  ///   - label: Its name for people; nil takes its name.
  ///   - channels: How many it has.
  ///   - hasInlets: Whether the strip's source is a node.
  ///   - mix: The host's main client.
  /// - Throws: What JACK said; there is no client then.
  init(
    place: InsertPlace,
    label: String?,
    channels: Int,
    hasInlets: Bool,
    for mix: ClientConnection,
  ) throws(JACKError) {
    let opened = try OpenedClient.open(
      name: PortNames.returnClient(of: mix.name, place: place.name),
      server: mix.server,
    )
    connection = opened.connection
    var order = 0
    inlets = try connection.registerGroup(
      place.name,
      label: label,
      names: hasInlets ? (0..<channels).map { PortNames.inlet(channel: $0) } : [],
      order: &order,
    )
    returns = try connection.registerGroup(
      "\(place.name) effects",
      label: "\(label ?? place.name) effects",
      names: (0..<channels).map { PortNames.insertReturn(channel: $0) },
      order: &order,
    )
    let ports = inlets + returns
    handover = CycleHandover(channels: ports.count)
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: ReturnProcess(ports, handover))
    connection.introduce(
      as: "\(mix.name): \(label ?? place.name)",
      icon: "multimedia-volume-control",
    )
    client = try unsafe opened.activate(
      process: returnProcess,
      context: UnsafeMutableRawPointer(state),
    )
  }

  /// The full names of the inlets.
  var inletNames: [String] {
    inlets.indices.map { "\(connection.name):\(PortNames.inlet(channel: $0))" }
  }

  /// The full names of the returns.
  var returnNames: [String] {
    returns.indices.map { "\(connection.name):\(PortNames.insertReturn(channel: $0))" }
  }

  /// Closes the client and frees what its callback used.
  ///
  /// - Parameter isTaken: Whether somebody may still take what it gives: then the memory stays, as it does where
  ///   libjack does not come back in time.
  func close(isTaken: Bool) {
    guard let client = client.take(), client.close() != .timedOut, !isTaken else { return }
    handover.free()
    unsafe state.pointee.free()
    unsafe state.deallocate()
  }
}
