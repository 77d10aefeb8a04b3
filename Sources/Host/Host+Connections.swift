// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import JACK
internal import Logging

extension Host {
  /// Reads the ports and our connections as they are.
  func readPorts(of presence: Presence) throws(JACKError) {
    let ports = try presence.mix.ports(kind: AudioKind.self)
    var pairs: [ConnectionPair] = []
    for port in ports where presence.ownPorts.contains(port.name) {
      for other in try presence.mix.connections(ofPort: port.name) {
        pairs.append(
          port.isOutput
            ? ConnectionPair(source: port.name, destination: other)
            : ConnectionPair(source: other, destination: port.name)
        )
      }
    }
    keeper.reset(ports: ports, connections: pairs)
  }

  /// Makes the connections that are asked for and not there.
  func connectMissing() {
    guard let connection = presence?.mix else { return }
    for pair in keeper.settleFallbacks() { disconnect(pair) }
    for pair in keeper.missing() {
      do throws(JACKError) {
        if try connection.connect(pair.source, to: pair.destination) == .ignored {
          keeper.refused(pair)
          ignoresOwnConnections = true
          publish(
            .error,
            "the server ignores connections that clients make themselves (jackd -a): "
              + "\(pair.source) → \(pair.destination) is for the user to make",
          )
        } else {
          keeper.connected(pair)
        }
      } catch {
        // The port may be gone by now, and then its notification is under way.
        guard error.code != .noSuchPort, error.code != .serverGone, error.code != .closed else {
          continue
        }
        keeper.refused(pair)
        publish(.error, "cannot connect \(pair.source) → \(pair.destination): \(error)")
      }
    }
  }

  /// Takes a connection away.
  func disconnect(_ pair: ConnectionPair) {
    // An error means that the connection is gone already.
    try? presence?.mix.disconnect(pair.source, from: pair.destination)
  }

  /// Tells which routes and sources have found or lost their ports.
  func tellAvailability() {
    guard phase == .running else { return }
    let satisfied = keeper.satisfiedOwners()
    for route in configuration.graph.routes where route.direction == .output {
      tell(route.name, isAvailable: satisfied.contains(route.name), isRoute: true)
    }
    for source in configuration.graph.sources {
      tell(source.name, isAvailable: satisfied.contains(source.name), isRoute: false)
    }
    tellRoutes()
    tellRunning()
  }

  private func tell(_ name: String, isAvailable: Bool, isRoute: Bool) {
    let key = (isRoute ? "route " : "source ") + name
    let before = availability.updateValue(isAvailable, forKey: key)
    guard before != isAvailable, before != nil || !isAvailable else { return }
    let kind: EventKind =
      switch (isRoute, isAvailable) {
      case (true, true): .routeAvailable
      case (true, false): .routeUnavailable
      case (false, true): .sourceConnected
      case (false, false): .sourceDisconnected
      }
    publish(
      kind,
      "\(isRoute ? "route" : "source") '\(name)' "
        + (isAvailable ? "has its ports" : "waits for its ports"),
      details: [isRoute ? "route" : "strip": .string(name)],
    )
  }
}
