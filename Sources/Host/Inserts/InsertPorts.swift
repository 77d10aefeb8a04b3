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
  /// The client that hears the nodes of a strip.
  let returnClient: ReturnClient?
  /// Where the sound of a route goes to its effects.
  let sends: [AudioOutputPort]
  /// The full names, channel by channel: where the sound comes back, or goes to.
  let names: [String]
  /// When the sound of a strip's nodes has been missing of late.
  private(set) var misses = MissHistory()
  /// The latencies of the strip's own client's ports when the ways through the host were last stated.
  private var statedLatencies: [LatencyRange] = []
  private let fader: UnsafeMutablePointer<InsertFader>
  private let taker: UnsafeMutablePointer<ReturnTaker>?
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
    switch place {
    case .strip(let strip):
      let client = try ReturnClient(
        strip: strip,
        label: label,
        channels: channels,
        hasInlets: hasInlets,
        for: connection,
      )
      returnClient = client
      names = client.returnNames
      sends = []
      unsafe taker = .allocate(capacity: 1)
      unsafe taker?.initialize(to: ReturnTaker(handover: client.handover, sampleRateHz: rate))
    case .route(let route):
      var order = 10_000
      let short = (0..<channels).map { PortNames.routeSend(route, channel: $0) }
      sends = try connection.registerGroup(
        route,
        label: "\(label ?? route) effects",
        names: short,
        order: &order,
      )
      names = short.map { "\(connection.name):\($0)" }
      returnClient = nil
      unsafe taker = nil
    }
    unsafe sendMemory = Self.memory(of: sends)
    unsafe fader = .allocate(capacity: 1)
    unsafe fader.initialize(
      to: InsertFader(channels: channels, fadeFrames: Int(rate * Self.fadeSeconds))
    )
  }

  private static func memory(
    of ports: [AudioOutputPort]
  ) -> UnsafeMutablePointer<AudioOutputPort>? {
    guard !ports.isEmpty else { return nil }
    let memory = UnsafeMutablePointer<AudioOutputPort>.allocate(capacity: ports.count)
    for (index, port) in ports.enumerated() { unsafe (memory + index).initialize(to: port) }
    return unsafe memory
  }

  /// Sets how much of the effects is heard, 0 … 1.
  func setWet(_ wet: Double) { unsafe fader.pointee.setTarget(wet) }

  /// How much is heard at the end of the last cycle.
  var wet: Double { unsafe fader.pointee.landed }

  /// How often what comes back has been missing; nil at a route, which hears no nodes.
  var handoverStatus: HandoverStatus? {
    guard let taker = unsafe taker else { return nil }
    return unsafe HandoverStatus(
      strip: place.name,
      misses: taker.pointee.missCount,
      missedCycles: taker.pointee.missedCycleCount,
    )
  }

  /// Takes in how often what comes back has been missing.
  func noteMisses(nowNanoseconds: UInt64) {
    guard let taker = unsafe taker else { return }
    unsafe misses.note(count: taker.pointee.missCount, nowNanoseconds: nowNanoseconds)
  }

  /// Lets what has been missing be.
  func forgiveMisses() {
    guard let taker = unsafe taker else { return }
    unsafe misses.forgive(count: taker.pointee.missCount)
  }

  /// Whether it is time to tell of what has been missing.
  func tellMisses(nowNanoseconds: UInt64) -> Bool {
    misses.tell(nowNanoseconds: nowNanoseconds)
  }

  /// The ports of a strip's own client by which a channel comes in.
  func ways(channel: Int) -> [AudioInputPort] {
    guard let returnClient else { return [] }
    return Array(returnClient.inlets.dropFirst(channel).prefix(1))
      + Array(returnClient.returns.dropFirst(channel).prefix(1))
  }

  /// Whether JACK says other latencies of the strip's own client than when this was asked last.
  ///
  /// JACK sees no way from there to the mix, so it may ask the two in either order.
  func haveLatenciesChanged() -> Bool {
    guard let returnClient else { return false }
    let now = (returnClient.inlets + returnClient.returns).flatMap { port in
      [LatencyMode.capture, .playback].compactMap { mode in
        // Where the server has just gone, there is nothing to state either.
        try? returnClient.connection.latencyRange(of: port, mode)
      }
    }
    defer { statedLatencies = now }
    return now != statedLatencies
  }

  /// What the audio thread needs, for a mix in which the place begins at `first`.
  func binding(first: Int) -> InsertBinding {
    unsafe InsertBinding(
      fader: fader,
      first: first,
      channels: channels,
      taker: taker,
      hasInlets: returnClient?.inlets.isEmpty == false,
      sends: sendMemory,
    )
  }

  /// Closes the strip's own client, and frees what the audio thread used; nothing can be done with the
  /// object after.
  ///
  /// - Parameter isUsed: Whether a callback of the mix may still run: then the memory stays.
  func close(isUsed: Bool) {
    returnClient?.close(isTaken: isUsed)
    guard !isUsed else { return }
    unsafe taker?.deinitialize(count: 1)
    unsafe taker?.deallocate()
    unsafe sendMemory?.deallocate()
    unsafe fader.deinitialize(count: 1)
    unsafe fader.deallocate()
  }
}
