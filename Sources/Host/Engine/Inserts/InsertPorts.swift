// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import JACK
internal import Mixing
internal import Patchbay

/// The ports of the nodes of one strip or route, and the crossfade between with and without effects.
///
/// Belongs to the control thread; the audio thread reads the memory through ``InsertBinding``s.
@safe
final class InsertPorts {
  private(set) var place: InsertPlace
  let channels: Int
  /// The client that hears the nodes.
  let returnClient: ReturnClient
  /// The ports that send a route's sound to its effects.
  let sends: [AudioOutputPort]
  /// The full names of the send ports, channel by channel.
  let sendNames: [String]
  /// The full names of a route's own ports, channel by channel.
  private(set) var routeNames: [String]
  /// The outlet that plays the sound of a route's effects.
  let outlet: OutletClient?
  /// The latencies of the other clients' ports as of the last call.
  private var statedLatencies: [LatencyRange] = []
  private let fader: UnsafeMutablePointer<InsertFader>
  private let taker: UnsafeMutablePointer<ReturnTaker>
  private let sendMemory: UnsafeMutablePointer<AudioOutputPort>?

  /// The duration of a fade into or out of the effects.
  static let fadeSeconds = 0.01

  /// Registers the ports.
  ///
  /// - Parameters:
  ///   - place: The strip or route.
  ///   - channels: Its number of channels.
  ///   - label: Its name for people.
  ///   - hasInlets: Whether a node is the strip's source.
  ///   - clients: The names of the host's clients.
  ///   - connection: The host's main client.
  /// - Throws: JACK's error.
  init(
    _ place: InsertPlace,
    channels: Int,
    label: String?,
    hasInlets: Bool,
    clients: ClientNames,
    on connection: ClientConnection,
  ) throws(JACKError) {
    self.place = place
    self.channels = channels
    let rate = Double(try connection.sampleRateHz)
    let fadeFrames = Int(rate * Self.fadeSeconds)
    returnClient = try ReturnClient(
      place: place,
      label: label,
      channels: channels,
      hasInlets: hasInlets,
      clients: clients,
      for: connection,
    )
    unsafe taker = .allocate(capacity: 1)
    unsafe taker.initialize(
      to: ReturnTaker(handover: returnClient.handover, sampleRateHz: rate)
    )
    switch place {
    case .strip:
      sends = []
      sendNames = []
      routeNames = []
      outlet = nil
    case .route(let route):
      var order = 10_000
      let short = (0..<channels).map { PortNames.routeSend(route, channel: $0) }
      sends = try connection.registerGroup(
        route,
        label: "\(label ?? route) effects",
        names: short,
        order: &order,
      )
      sendNames = short.map { "\(connection.name):\($0)" }
      routeNames = (0..<channels).map {
        "\(connection.name):\(PortNames.route(route, channel: $0))"
      }
      outlet = try unsafe OutletClient(
        route: route,
        label: label,
        channels: channels,
        taker: taker,
        fadeFrames: fadeFrames,
        clients: clients,
        for: connection,
      )
    }
    unsafe sendMemory = Self.memory(of: sends)
    unsafe fader = .allocate(capacity: 1)
    unsafe fader.initialize(to: InsertFader(channels: channels, fadeFrames: fadeFrames))
  }

  private static func memory(
    of ports: [AudioOutputPort]
  ) -> UnsafeMutablePointer<AudioOutputPort>? {
    guard !ports.isEmpty else { return nil }
    let memory = UnsafeMutablePointer<AudioOutputPort>.allocate(capacity: ports.count)
    for (index, port) in ports.enumerated() { unsafe (memory + index).initialize(to: port) }
    return unsafe memory
  }

  /// The names of the clients beside the main one.
  var clientNames: [String] {
    [returnClient.connection.name] + [outlet?.connection.name].compactMap { $0 }
  }

  /// The full names of the ports at which a node that is the strip's source comes in.
  var inletNames: [String] { returnClient.inletNames }

  /// The full names of the ports at which the sound of effects returns.
  var returnNames: [String] { returnClient.returnNames }

  /// The full names of the outlet's ports.
  var outletNames: [String] { outlet?.names ?? [] }

  /// Follows strip or route to another name; its own clients keep theirs, so that the sound goes on.
  ///
  /// - Parameters:
  ///   - renames: The new names.
  ///   - client: The name of the main client.
  func rename(_ renames: PortRenames, client: String) {
    switch place {
    case .strip(let name): place = .strip(renames.strips[name] ?? name)
    case .route(let name):
      let new = renames.routes[name] ?? name
      place = .route(new)
      routeNames = (0..<channels).map { "\(client):\(PortNames.route(new, channel: $0))" }
    }
  }

  // MARK: - With and without

  /// Sets the share of the effects, 0 … 1.
  func setWet(_ wet: Double) { unsafe fader.pointee.setTarget(wet) }

  /// The share of the effects at the end of the last cycle, 0 … 1.
  var wet: Double { unsafe fader.pointee.landed * (outlet?.trust ?? 1) }

  // MARK: - Nodes that are late

  /// The number of times that the nodes' sound began to be missing.
  var missCount: Int { unsafe taker.pointee.missCount }

  /// The number of cycles in which the nodes' sound was missing.
  var missedCycleCount: Int { unsafe taker.pointee.missedCycleCount }

  /// The samples that a route's effects returned and that were no sound; none for a strip, which counts its own.
  var returnFaults: InputFaults { outlet?.faults ?? InputFaults() }

  // MARK: - Latency

  /// The ports of a strip's own client at which a channel comes in.
  func ways(channel: Int) -> [AudioInputPort] {
    Array(returnClient.inlets.dropFirst(channel).prefix(1))
      + Array(returnClient.returns.dropFirst(channel).prefix(1))
  }

  /// The signal paths from the returns of a route's effects to its outlet.
  var outletPaths: [LatencyPath] {
    zip(returnClient.returns, outlet?.ports ?? []).map {
      LatencyPath(input: $0, output: $1, frames: 0)
    }
  }

  /// Whether the latencies of the other clients' ports have changed since the last call.
  ///
  /// JACK sees no connection from these clients to the mix or the outlet, so it may ask them in any
  /// order.
  func haveLatenciesChanged() -> Bool {
    // When the server has just gone, there are no latencies to state either.
    let inputs = (returnClient.inlets + returnClient.returns).flatMap { port in
      [LatencyMode.capture, .playback].compactMap { mode in
        try? returnClient.connection.latencyRange(of: port, mode)
      }
    }
    let outputs = (outlet?.ports ?? []).compactMap { port in
      try? outlet?.connection.latencyRange(of: port, .playback)
    }
    let now = inputs + outputs
    defer { statedLatencies = now }
    return now != statedLatencies
  }

  // MARK: - The audio thread's part

  /// The audio thread's view of these ports, for a mix in which the place begins at `first`.
  func binding(first: Int) -> InsertBinding {
    unsafe InsertBinding(
      fader: fader,
      first: first,
      channels: channels,
      taker: outlet == nil ? taker : nil,
      hasInlets: !returnClient.inlets.isEmpty,
      sends: sendMemory,
      outlet: outlet?.link,
    )
  }

  /// Closes the other clients and frees the audio thread's memory.
  ///
  /// The object cannot be used after that.
  ///
  /// - Parameter isUsed: Whether a callback of the mix may still run; then the memory stays.
  func close(isUsed: Bool) {
    // The outlet reads what the return client hands over, so it closes first.
    let isOutletClosed = outlet?.close(isGiven: isUsed) ?? true
    let isTaken = isUsed || !isOutletClosed
    returnClient.close(isTaken: isTaken)
    guard !isTaken else { return }
    unsafe taker.deinitialize(count: 1)
    unsafe taker.deallocate()
    unsafe sendMemory?.deallocate()
    unsafe fader.deinitialize(count: 1)
    unsafe fader.deallocate()
  }
}
