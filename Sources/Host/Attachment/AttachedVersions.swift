// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import JACK
internal import Mixing
internal import Patchbay

/// The change of an attachment to another version of the graph: ports, mix and connections.
///
/// Part of an ``Attachment``. Belongs to the control thread.
final class AttachedVersions {
  private let presence: any HostPresence
  private let engine: MixEngine
  private let connections: HostConnections
  private let strips: HostStrips
  /// The full names of the ports that are registered for a version that is not in force yet.
  private var prepared: Set<String> = []

  /// Changes a presence, its engine and its connections.
  init(
    presence: any HostPresence,
    engine: MixEngine,
    connections: HostConnections,
    strips: HostStrips,
  ) {
    self.presence = presence
    self.engine = engine
    self.connections = connections
    self.strips = strips
  }

  // MARK: - Before anything is heard

  /// Registers the ports that a layout needs beyond the present ones.
  ///
  /// - Throws: JACK's error; no new port stays then.
  func prepare(_ layout: PortLayout) throws(JACKError) {
    prepared = try presence.prepare(layout)
    // Before JACK reports them: no pattern is to match them.
    connections.add(ownPorts: prepared)
    // Nor do their connections wait for that report: they are to be heard before the sound fades in.
    for name in prepared { if let port = presence.portInfo(name) { connections.appeared(port) } }
  }

  /// Unregisters what ``prepare(_:)`` has registered.
  func discard() {
    presence.discard()
    connections.remove(owner: "", ownPorts: prepared)
    prepared.removeAll()
  }

  /// Gives strips, sources and routes other names; what is heard stays as it is.
  ///
  /// - Returns: The new full name of each port, by the former one.
  /// - Throws: JACK's error; all names are the former ones then.
  func rename(_ renames: PortRenames) throws(JACKError) -> [String: String] {
    guard !renames.isEmpty else { return [:] }
    let names = try presence.rename(renames)
    engine.rename(strips: renames.strips, routes: renames.routes)
    return names
  }

  // MARK: - In force

  /// Goes over to the ports, the mix and the connections of another version; parts that it does not have fade out and leave.
  ///
  /// - Parameters:
  ///   - layout: The prepared ports.
  ///   - spec: The mix, which is valid.
  ///   - rules: Gives what is asked of connections, once all ports are there.
  /// - Throws: The engine's error; ports without a mix stay silent then.
  func take(
    _ layout: PortLayout,
    _ spec: MixSpec,
    rules: () -> ConnectionKeeper.Version,
  ) throws(MixError) {
    let before = mixPorts
    let new = prepared
    prepared.removeAll()
    let tag = presence.take(layout)
    connections.hide(presence.hiddenPorts)
    let ownNow = presence.ownPorts
    let gone = before.subtracting(ownNow)
    for pair in connections.take(rules(), gone: gone, new: new) {
      connections.disconnect(pair)
    }
    connections.makeMissing()
    try engine.apply(spec, tag: tag)
  }

  /// Goes over to other connections, with the ports as they are.
  func take(version: ConnectionKeeper.Version) {
    for pair in connections.take(version, gone: [], new: []) { connections.disconnect(pair) }
    strips.takeLayout(undescribed: [], routes: [])
  }

  /// Has the MIDI controllers leave that the version in force does not have, and chains of effects that nobody hears.
  ///
  /// The controllers have been unplugged for a cycle by now: the last messages of a port would be repeated until it has gone.
  ///
  /// - Parameter chains: The places of the chains.
  /// - Throws: The engine's error.
  func retire(chains: Set<InsertPlace>) throws(MixError) {
    guard let tag = presence.retire(chains: chains) else { return }
    connections.hide(presence.hiddenPorts)
    try engine.apply(engine.spec, tag: tag)
  }

  /// Whether the audio thread plays the newest mix: everything that has been removed has faded out.
  var hasAdopted: Bool { presence.hasAdopted }

  /// The full names of the ports of all strips and routes.
  private var mixPorts: Set<String> {
    let spec = engine.spec
    return Set(
      spec.strips.flatMap { presence.stripPorts($0.id) }
        + spec.routes.flatMap { presence.routePorts($0.id, channels: $0.channels) }
    )
  }

  /// Plays these sources from the next cycle on; others leave with their ports.
  func play(_ bank: SourceBank) { presence.play(bank) }

  /// Has the metadata of changed strips and routes written, and their ports known.
  func describe(strips changed: [String], routes: [String]) {
    strips.takeLayout(undescribed: changed, routes: routes)
  }

  /// Frees ports and memory that the audio thread no longer uses.
  ///
  /// - Returns: Whether everything that has been removed is gone.
  func collectRemoved() -> Bool { presence.collectRemoved() }

  /// The name of the client that plays files and tones; nil without one.
  var sourceClient: String? { presence.sourceClient }
}

extension HostPresence {
  /// The full names of a route's ports. [control-thread]
  func routePorts(_ id: String, channels: Int) -> Set<String> {
    Set((0..<channels).map { "\(hostName):\(PortNames.route(id, channel: $0))" })
  }
}
