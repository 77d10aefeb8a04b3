// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import JACK

/// The ports of one chain of effects on the host's main client, and its crossfade.
///
/// Belongs to the control thread; the audio thread reads the memory through ``InsertBinding``s.
@safe
final class InsertPorts {
  let place: InsertPlace
  /// The full names, channel by channel: where the sound comes back, or goes to.
  let names: [String]
  let returns: [AudioInputPort]
  let sends: [AudioOutputPort]
  private let fader: UnsafeMutablePointer<InsertFader>
  private let returnMemory: UnsafeMutablePointer<AudioInputPort>?
  private let sendMemory: UnsafeMutablePointer<AudioOutputPort>?

  /// How long going in or out of the effects takes.
  static let fadeSeconds = 0.01

  init(
    _ place: InsertPlace,
    channels: Int,
    label: String?,
    on connection: ClientConnection,
  ) throws(JACKError) {
    self.place = place
    let name = place.name
    let short = (0..<channels).map { channel in
      switch place {
      case .strip: PortNames.stripReturn(name, channel: channel)
      case .route: PortNames.routeSend(name, channel: channel)
      }
    }
    names = short.map { "\(connection.name):\($0)" }
    var order = 10_000
    switch place {
    case .strip:
      returns = try connection.registerGroup(
        name,
        label: "\(label ?? name) effects",
        names: short,
        order: &order,
      )
      sends = []
    case .route:
      sends = try connection.registerGroup(
        name,
        label: "\(label ?? name) effects",
        names: short,
        order: &order,
      )
      returns = []
    }
    unsafe returnMemory = Self.memory(of: returns)
    unsafe sendMemory = Self.memory(of: sends)
    let rate = Double(try connection.sampleRateHz)
    unsafe fader = .allocate(capacity: 1)
    unsafe fader.initialize(
      to: InsertFader(channels: channels, fadeFrames: Int(rate * Self.fadeSeconds))
    )
  }

  /// Registers the ports of all chains of a graph.
  static func make(
    of graph: GraphFile,
    _ ports: MixPorts,
    labels: [String: String],
    on connection: ClientConnection,
  ) throws(JACKError) -> [InsertPorts] {
    let places: [InsertPlace] =
      graph.sources.filter { !$0.inserts.isEmpty }.map { .strip($0.name) }
      + graph.routes.filter { !$0.inserts.isEmpty }.map { .route($0.name) }
    return try places.map { place throws(JACKError) in
      try InsertPorts(
        place,
        channels: ports.channels(of: place),
        label: labels[place.name],
        on: connection,
      )
    }
  }

  private static func memory<Port>(of ports: [Port]) -> UnsafeMutablePointer<Port>? {
    guard !ports.isEmpty else { return nil }
    let memory = UnsafeMutablePointer<Port>.allocate(capacity: ports.count)
    for (index, port) in ports.enumerated() { unsafe (memory + index).initialize(to: port) }
    return unsafe memory
  }

  /// Sets how much of the effects is heard, 0 … 1.
  func setWet(_ wet: Double) { unsafe fader.pointee.setTarget(wet) }

  /// How much is heard at the end of the last cycle.
  var wet: Double { unsafe fader.pointee.landed }

  /// What the audio thread needs, for a mix in which the place begins at `first`.
  func binding(first: Int) -> InsertBinding {
    unsafe InsertBinding(
      fader: fader,
      first: first,
      channels: names.count,
      returns: returnMemory,
      sends: sendMemory,
    )
  }

  /// Frees what the audio thread no longer uses; nothing can be done with the object after.
  func free() {
    unsafe returnMemory?.deallocate()
    unsafe sendMemory?.deallocate()
    unsafe fader.deinitialize(count: 1)
    unsafe fader.deallocate()
  }
}
