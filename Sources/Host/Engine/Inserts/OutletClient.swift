// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import JACK
internal import Mixing

/// The outlet, a client that plays the sound of a route's effects: `HOST-ROUTE-out`.
///
/// If the effects were connected to the hardware directly, the hardware would repeat the last cycle
/// of an effect that dies until the server has removed it. The outlet has no inputs, so JACK runs
/// it without waiting for other clients. The mix and the route's ``ReturnClient`` hand its sound
/// over in the same cycle, through ``CycleHandover``s (IAA-6, IAA-7). Belongs to the control
/// thread.
@safe
final class OutletClient {
  let connection: ClientConnection
  /// The ports, channel by channel.
  let ports: [AudioOutputPort]
  let link: OutletLink

  private var client: ActiveClient?
  private let state: UnsafeMutablePointer<OutletProcess>

  /// Opens the client and registers its ports.
  ///
  /// - Parameters:
  ///   - route: The route.
  ///   - label: Its name for people; nil takes `route`.
  ///   - channels: Its number of channels.
  ///   - taker: Takes the sound that the effects return; must outlive this object.
  ///   - fadeFrames: The duration of a fade into or out of the effects.
  ///   - clients: The names of the host's clients.
  ///   - mix: The host's main client.
  /// - Throws: JACK's error; the client is closed then.
  init(
    route: String,
    label: String?,
    channels: Int,
    taker: UnsafeMutablePointer<ReturnTaker>,
    fadeFrames: Int,
    clients: ClientNames,
    for mix: ClientConnection,
  ) throws(JACKError) {
    let opened = try OpenedClient.open(
      name: PortNames.outletClient(of: clients, route: route),
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
    // The main client knows the paths through the effects, and answers for these ports.
    try connection.setLatencyPaths([])
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

  /// The gain of the returned sound, 0 … 1; 0 for a while after a miss.
  var trust: Double { unsafe state.pointee.landedTrust }

  /// The samples of the effects that were no sound, since the client was opened.
  var faults: InputFaults { unsafe state.pointee.faults }

  /// Closes the client and frees what its callback used.
  ///
  /// - Parameter isGiven: Whether the mix may still hand sound over to it; then the memory stays,
  ///   as it does where libjack does not return in time.
  /// - Returns: Whether the memory that it read from can be freed.
  func close(isGiven: Bool) -> Bool {
    guard let client = client.take(), client.close() != .timedOut else { return false }
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
    if !isGiven { link.free() }
    return true
  }
}
