// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import JACK

/// The client through which a strip or route hears nodes: `HOST-STRIP`, `HOST-ROUTE`.
///
/// JACK runs a client when all clients before it have run. The signal path through nodes ends at
/// this client, so a node that dies or hangs delays only its own place. A ``CycleHandover`` passes
/// the sound on to the mix, or to the route's ``OutletClient``, in the same cycle (IAA-6, IAA-7).
/// Belongs to the control thread.
@safe
final class ReturnClient {
  let connection: ClientConnection
  /// The inputs of a node that is the strip's source; empty for other places.
  let inlets: [AudioInputPort]
  /// The inputs at which the sound of effects returns.
  let returns: [AudioInputPort]
  let handover: CycleHandover

  private var client: ActiveClient?
  private let state: UnsafeMutablePointer<ReturnProcess>

  /// Opens the client and registers its ports.
  ///
  /// - Parameters:
  ///   - place: The strip or route.
  ///   - label: Its name for people; nil takes its name.
  ///   - channels: Its number of channels.
  ///   - hasInlets: Whether the strip's source is a node.
  ///   - clients: The names of the host's clients.
  ///   - mix: The host's main client.
  /// - Throws: JACK's error; the client is closed then.
  init(
    place: InsertPlace,
    label: String?,
    channels: Int,
    hasInlets: Bool,
    clients: ClientNames,
    for mix: ClientConnection,
  ) throws(JACKError) {
    let opened = try OpenedClient.open(
      name: PortNames.returnClient(of: clients, place: place.name),
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
    // The main client knows the paths through the effects, and answers for these ports.
    try connection.setLatencyPaths([])
    let ports = inlets + returns
    handover = CycleHandover(channels: ports.count)
    let names =
      inlets.indices.map { PortNames.inlet(channel: $0) }
      + returns.indices.map { PortNames.insertReturn(channel: $0) }
    var watched: [WatchedPort] = []
    for name in names {
      if let port = try connection.watchedPort(named: "\(connection.name):\(name)") {
        watched.append(port)
      }
    }
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: ReturnProcess(ports, watched, handover))
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
  /// - Parameter isTaken: Whether another callback may still read its hand-over; then the memory
  ///   stays, as it does where libjack does not return in time.
  func close(isTaken: Bool) {
    guard let client = client.take(), client.close() != .timedOut, !isTaken else { return }
    handover.free()
    unsafe state.pointee.free()
    unsafe state.deallocate()
  }
}

/// The state of the process callback of a return client.
@safe
struct ReturnProcess: BitwiseCopyable {
  let ports: UnsafeMutablePointer<AudioInputPort>
  let handover: CycleHandover
  /// The same ports, where their connections can be counted.
  private let watched: UnsafeMutablePointer<WatchedPort>
  private let watchedCount: Int

  /// Allocates its memory; `free` releases it. [control-thread]
  init(_ ports: [AudioInputPort], _ watched: [WatchedPort], _ handover: CycleHandover) {
    self.handover = handover
    watchedCount = watched.count
    unsafe self.watched = .allocate(capacity: max(1, watched.count))
    for (index, port) in watched.enumerated() {
      unsafe (self.watched + index).initialize(to: port)
    }
    unsafe self.ports = .allocate(capacity: max(1, ports.count))
    for (index, port) in ports.enumerated() {
      unsafe (self.ports + index).initialize(to: port)
    }
  }

  /// Releases it.
  ///
  /// The callback may not run any more. [control-thread]
  func free() {
    unsafe ports.deallocate()
    unsafe watched.deallocate()
  }

  /// Whether a node is connected in this cycle.
  ///
  /// One that died between two cycles is not, and its silence is no sound that has returned. [audio-thread]
  @_noLocks @_noAllocation
  func isFed(_ scope: borrowing ProcessScope) -> Bool {
    guard watchedCount > 0 else { return true }
    for index in 0..<watchedCount where unsafe scope.connectionCount(of: watched[index]) > 0 {
      return true
    }
    return false
  }
}

/// The process callback of a return client: hands over the samples of its inputs, if a node is connected with them.
///
/// [audio-thread & active] — never blocks, never allocates.
@c(multiroute_return_process) @_noLocks @_noAllocation
func returnProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: ReturnProcess.self) { state, scope in
    guard unsafe state.pointee.isFed(scope) else { return }
    unsafe state.pointee.handover.give(state.pointee.ports, scope)
  }
}
