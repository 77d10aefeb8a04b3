// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import JACK
internal import Mixing

extension Host {
  /// Gives a session a strip of its own, silent until the tower opens its gate, and feeds it.
  func addStrip(for session: HeldSession, gainDB: Double) throws(ControlError) {
    let id = session.ownStrip
    let channels = session.channels
    guard phase == .running, let presence, let mix else {
      throw ControlError(.notReady, message: "the host is not attached to a JACK server now")
    }
    let tag: UInt64
    let released: [ConnectionPair]
    do throws(JACKError) {
      (tag, released) = try presence.addStrip(id, channels: channels)
    } catch {
      throw ControlError(.refused, message: "no ports for the session: \(error)")
    }
    do throws(ControlError) {
      var spec = mix.engine.spec
      spec.strips.append(
        StripSpec(id: id, channels: channels, faderDB: gainDB, isGated: true)
      )
      let grown = spec
      // Nothing is heard of it yet: nothing has to fade.
      try mix.refusing { () throws(MixError) in
        try mix.engine.apply(grown, fade: .none, tag: tag)
      }
    } catch {
      _ = presence.removeStrip(id)
      throw error
    }
    undescribedStrips.append(id)
    if let rule = session.connectionRule(client: presence.mix.name) {
      keeper.add(
        rule,
        ownPorts: presence.mixPorts.names(ofStrip: id, client: presence.mix.name),
      )
    }
    keeper.release(released)
  }

  /// Takes a session's strip away, with a fade.
  func removeStrip(_ id: String) {
    guard let mix else { return }
    var tag: UInt64?
    if let presence, phase == .running {
      keeper.remove(
        owner: id,
        ownPorts: presence.mixPorts.names(ofStrip: id, client: presence.mix.name),
      )
      tag = presence.removeStrip(id)
    }
    var spec = mix.engine.spec
    spec.sends.removeAll { $0.strip == id }
    spec.strips.removeAll { $0.id == id }
    do throws(MixError) {
      if let tag { try mix.engine.apply(spec, tag: tag) } else { try mix.engine.apply(spec) }
    } catch {
      publish(.error, "strip '\(id)' cannot be taken away: \(error)")
    }
    restateLatencies()
  }

  /// What the strips of sessions are fed from, beside what the graph asks for.
  func sessionRules(client: String) -> [ConnectionRule] {
    tower.held.values.compactMap { $0.connectionRule(client: client) }
  }

  /// Takes the ways past the strip away: ports that a session was opened with sound through its strip
  /// only (INT-1).
  ///
  /// - Parameter source: The port to look after; nil for all.
  func enforceStrips(source: String? = nil) {
    guard phase == .running, configuration.connectsPorts, let connection = presence?.mix else {
      return
    }
    let claims = tower.held.values.compactMap(\.ports)
    guard !claims.isEmpty else { return }
    let hardwarePorts = Set(
      configuration.graph.routes.filter { $0.direction == .output }
        .flatMap { keeper.foundPorts(of: $0.name) }
        + keeper.ports.physical(facing: .outOfHost)
    )
    let sources =
      source.map { [$0] } ?? keeper.ports.all(facing: .intoHost)
    for port in sources where claims.contains(where: { $0.matches(port) }) {
      for other in (try? connection.connections(ofPort: port)) ?? []
      where hardwarePorts.contains(other) {
        do throws(JACKError) {
          try connection.disconnect(port, from: other)
          publish(
            .decision,
            "INT-1 \(port) sounds through its session's strip and not directly to \(other)",
            details: ["rule": "INT-1", "port": .string(port)],
          )
        } catch {
          // Gone by itself meanwhile.
          continue
        }
      }
    }
  }
}
