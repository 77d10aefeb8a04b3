// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import JACK

/// The ports of the nodes of one strip or route, and the crossfade between with and without effects.
///
/// Belongs to the control thread; the audio thread reads the memory through ``InsertBinding``s.
@safe
final class InsertPorts {
  let place: InsertPlace
  let channels: Int
  /// The client that hears the nodes.
  let returnClient: ReturnClient
  /// Where the sound of a route goes to its effects.
  let sends: [AudioOutputPort]
  /// The full names of those ports, channel by channel.
  let sendNames: [String]
  /// The full names of a route's own ports, channel by channel.
  let routeNames: [String]
  /// The client by which what comes back from a route's effects is heard.
  let outlet: OutletClient?
  /// When the sound of the nodes has been missing of late.
  private(set) var misses = MissHistory()
  /// The latencies of the ports of the other clients when the ways through the host were last stated.
  private var statedLatencies: [LatencyRange] = []
  private let fader: UnsafeMutablePointer<InsertFader>
  private let taker: UnsafeMutablePointer<ReturnTaker>
  private let sendMemory: UnsafeMutablePointer<AudioOutputPort>?

  /// How long going in or out of the effects takes.
  static let fadeSeconds = 0.01

  /// Registers the ports.
  ///
  /// - Parameters:
  ///   - place: The strip or route.
  ///   - channels: How many it has.
  ///   - label: Its name for people.
  ///   - hasInlets: Whether a node is the strip's source.
  ///   - connection: The host's main client.
  /// - Throws: What JACK said.
  init(
    _ place: InsertPlace,
    channels: Int,
    label: String?,
    hasInlets: Bool,
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

  /// Whether a connection is one of the outlet's.
  func isOfOutlet(_ pair: ConnectionPair) -> Bool {
    outlet?.names.contains(pair.source) == true
  }

  // MARK: - With and without

  /// Sets how much of the effects is heard, 0 … 1.
  func setWet(_ wet: Double) { unsafe fader.pointee.setTarget(wet) }

  /// How much is heard at the end of the last cycle.
  var wet: Double { unsafe fader.pointee.landed * (outlet?.trust ?? 1) }

  // MARK: - Nodes that come too late

  /// How often what comes back has been missing.
  var handoverStatus: HandoverStatus {
    let (strip, route): (String?, String?) =
      switch place {
      case .strip(let strip): (strip, nil)
      case .route(let route): (nil, route)
      }
    return unsafe HandoverStatus(
      strip: strip,
      route: route,
      misses: taker.pointee.missCount,
      missedCycles: taker.pointee.missedCycleCount,
    )
  }

  /// Takes in how often what comes back has been missing.
  func noteMisses(nowNanoseconds: UInt64) {
    unsafe misses.note(count: taker.pointee.missCount, nowNanoseconds: nowNanoseconds)
  }

  /// Lets what has been missing be.
  func forgiveMisses() {
    unsafe misses.forgive(count: taker.pointee.missCount)
  }

  /// Whether it is time to tell of what has been missing.
  func tellMisses(nowNanoseconds: UInt64) -> Bool {
    misses.tell(nowNanoseconds: nowNanoseconds)
  }

  // MARK: - Latency

  /// The ports of a strip's own client by which a channel comes in.
  func ways(channel: Int) -> [AudioInputPort] {
    Array(returnClient.inlets.dropFirst(channel).prefix(1))
      + Array(returnClient.returns.dropFirst(channel).prefix(1))
  }

  /// The ways from where the effects of a route come back to where they are heard.
  var outletPaths: [LatencyPath] {
    zip(returnClient.returns, outlet?.ports ?? []).map {
      LatencyPath(input: $0, output: $1, frames: 0)
    }
  }

  /// Whether JACK says other latencies of the other clients' ports than when this was asked last.
  ///
  /// JACK sees no way from there to the mix, nor to the outlet, so it may ask them in any order.
  func haveLatenciesChanged() -> Bool {
    // Where the server has just gone, there is nothing to state either.
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

  /// What the audio thread needs, for a mix in which the place begins at `first`.
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

  /// Closes the other clients, and frees what the audio thread used; nothing can be done with the object after.
  ///
  /// - Parameter isUsed: Whether a callback of the mix may still run: then the memory stays.
  func close(isUsed: Bool) {
    // The outlet takes what the other client gives.
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
