// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import JACK
internal import Mixing
internal import Patchbay

/// The strips that come and go with sessions on one server: their ports, their part of the mix, their connections.
///
/// Part of an ``Attachment``. Belongs to the control thread.
final class HostStrips {
  private let presence: any HostPresence
  private let engine: MixEngine
  private let connections: HostConnections
  private let latencies: HostLatencies
  private let control: Control
  /// The full names of each strip's ports.
  private var ports: [String: Set<String>] = [:]
  /// The strip of each port.
  private var stripsByPort: [String: String] = [:]
  /// The strips whose metadata is still to be written.
  private var undescribed: [String] = []
  /// The routes whose metadata is still to be written.
  private var undescribedRoutes: [String] = []

  /// Adds strips to a presence and its engine.
  init(
    presence: any HostPresence,
    engine: MixEngine,
    connections: HostConnections,
    latencies: HostLatencies,
    control: Control,
  ) {
    self.presence = presence
    self.engine = engine
    self.connections = connections
    self.latencies = latencies
    self.control = control
    for strip in engine.spec.strips { notePorts(of: strip.id) }
  }

  /// Adds a strip, silent until its gate opens.
  ///
  /// - Parameters:
  ///   - strip: The strip, gated; no strip and no route has its id.
  ///   - feed: The file that the host plays into it; nil for none.
  ///   - rule: The connections that feed it; nil without any.
  /// - Throws: `refused` if JACK or the engine has no room; the strip is not made then.
  func add(
    _ strip: StripSpec,
    feed: StripFeed? = nil,
    rule: (_ client: String) -> ConnectionRule?,
  ) throws(ControlError) {
    let id = strip.id
    let tag: UInt64
    let released: [ConnectionPair]
    do throws(JACKError) {
      (tag, released) = try presence.addStrip(id, channels: strip.channels, feed: feed)
    } catch {
      throw ControlError(.refused, message: "no ports for the session: \(error)")
    }
    var spec = engine.spec
    spec.strips.append(strip)
    do throws(MixError) {
      // The strip is silent and needs no fade.
      try engine.apply(spec, fade: .none, tag: tag)
    } catch {
      _ = presence.removeStrip(id)
      throw ControlError(error)
    }
    undescribed.append(id)
    notePorts(of: id)
    if let rule = rule(presence.hostName) {
      connections.add(rule, ownPorts: ports(of: id))
    } else {
      connections.add(ownPorts: ports(of: id))
    }
    connections.release(released)
  }

  /// Gives a strip more channels.
  ///
  /// - Throws: The error of JACK or the engine.
  func grow(_ id: String, channels: Int) throws {
    let tag = try presence.growStrip(id, channels: channels)
    notePorts(of: id)
    connections.add(ownPorts: ports(of: id))
    var spec = engine.spec
    for index in spec.strips.indices where spec.strips[index].id == id {
      spec.strips[index].channels = channels
    }
    for index in spec.sends.indices where spec.sends[index].strip == id {
      spec.sends[index].matrix = nil
    }
    try engine.apply(spec, tag: tag)
    undescribed.append(id)
  }

  /// Removes a strip with a fade.
  func remove(_ id: String) {
    connections.remove(owner: id, ownPorts: ports(of: id))
    for port in ports.removeValue(forKey: id) ?? [] { stripsByPort[port] = nil }
    let tag = presence.removeStrip(id)
    do throws(MixError) {
      try engine.apply(engine.spec.removing(strip: id), tag: tag)
    } catch {
      control.publish(.error(), "strip '\(id)' cannot be removed: \(error)")
    }
    latencies.restate()
  }

  /// The full names of a strip's ports.
  func ports(of id: String) -> Set<String> { ports[id] ?? [] }

  /// The strips whose connections have changed since this was asked last.
  func takeChanged() -> Set<String> {
    Set(connections.takeChangedPorts().compactMap { stripsByPort[$0] })
  }

  private func notePorts(of id: String) {
    let names = presence.stripPorts(id)
    ports[id] = names
    for name in names { stripsByPort[name] = id }
  }

  /// Whether a new strip cannot have this id now.
  func isTaken(_ id: String, channels: Int) -> Bool {
    engine.spec.strips.contains { $0.id == id } || presence.isInTheWay(of: id, channels: channels)
  }

  /// Writes the metadata of one of the new strips or routes.
  func describeNext() {
    if let strip = undescribed.popLast() {
      presence.describeStrip(strip)
    } else if let route = undescribedRoutes.popLast() {
      presence.describeRoute(route)
    }
  }

  // MARK: - Versions of the graph

  /// Notes the ports of the strips that there are now, and which metadata is to be written.
  ///
  /// - Parameters:
  ///   - strips: The strips with new or renamed ports, or another label.
  ///   - routes: The routes of that kind.
  func takeLayout(undescribed strips: [String], routes: [String]) {
    let present = engine.spec.strips.map(\.id)
    ports.removeAll()
    stripsByPort.removeAll()
    for strip in present { notePorts(of: strip) }
    undescribed = undescribed.filter { present.contains($0) && !strips.contains($0) } + strips
    undescribedRoutes = routes
  }

  // MARK: - Input gates

  /// Keeps a strip's channel silent while `port` has more than `limit` connections.
  func watchInput(ofStrip strip: String, channel: Int, port: String, limit: Int) {
    presence.watchInput(ofStrip: strip, channel: channel, port: port, limit: limit)
  }

  /// Lets a strip's channel through whatever its port is connected to.
  func releaseInput(ofStrip strip: String, channel: Int) {
    presence.releaseInput(ofStrip: strip, channel: channel)
  }
}

extension MixSpec {
  /// The mix without a strip. [any-thread]
  func removing(strip id: String) -> MixSpec {
    var spec = self
    spec.sends.removeAll { $0.strip == id }
    spec.strips.removeAll { $0.id == id }
    return spec
  }
}
