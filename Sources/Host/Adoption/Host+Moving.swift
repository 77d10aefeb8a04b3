// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import JACK
internal import Mixing
internal import Sessions

/// Moves adopted clients from the hardware to their strips and back, heard neither twice nor not at all.
extension Host {
  /// Moves what a client has connected to the hardware to its strip (INT-1).
  ///
  /// The gate of each channel is shut before its output is connected to the strip, and opens in the very
  /// cycle in which the way past the strip has gone (``InputGate``); all that would fade in is set before.
  ///
  /// - Parameters:
  ///   - id: The client's session.
  ///   - isElsewhere: Whether it is to be heard elsewhere than before.
  func moveToStrip(_ id: SessionID, isElsewhere: Bool = false) {
    guard phase == .running, configuration.connectsPorts, !ignoresOwnConnections,
      let connection = presence?.mix
    else { return }
    tower.note(id, isBeingMoved: true)
    defer { tower.note(id, isBeingMoved: false) }
    let ports = tower.held[id]?.adopted?.ports ?? []
    var moving: [String] = []
    var siblings = (areFound: false, areElsewhere: isElsewhere)
    repeat {
      for port in ports { reviewInputGate(id, port) }
      if siblings.areElsewhere { restateRule(id) }
      moving += ports.filter { port in
        !moving.contains(port) && !waysPast(id, port).isEmpty
          && connectToStrip(id, port, isElsewhere: siblings.areElsewhere)
      }
      // While the server was busy with that, a client that is just starting has connected its next output.
      siblings = placeSiblings(id)
    } while siblings.areFound
    for port in moving {
      for other in waysPast(id, port) { takeAway(port, other, by: connection) }
    }
  }

  /// Moves all adopted clients back to the hardware, before the host goes.
  func moveAllToHardware() {
    guard let presence, configuration.connectsPorts else { return }
    for (port, strip, hardware) in placements(ofSilent: true) {
      // The strip and other programs, but nothing past the strip: with that it is silent in the same cycle,
      // also where an earlier way past has not quite gone.
      if let id = tower.session(adoptedPort: port), let held = tower.held[id],
        let adopted = held.adopted, let channel = adopted.channel(of: port),
        let watched = try? presence.mix.watchedPort(named: port)
      {
        let others = (adopted.connections[port] ?? []).subtracting(waysPast(id, port))
          .subtracting([strip])
        presence.gate(ofStrip: held.name, channel: channel)?
          .watch(watched, limit: others.count + 1)
      }
      for other in hardware {
        // What has gone meanwhile needs no connection.
        _ = try? presence.mix.connect(port, to: other, awaitsEffect: false)
      }
      try? presence.mix.disconnect(port, from: strip)
    }
  }

  /// Shuts or releases the gate of an output's channel, as its connections are.
  func reviewInputGate(_ id: SessionID, _ port: String) {
    guard let presence, let held = tower.held[id], let adopted = held.adopted,
      let channel = adopted.channel(of: port)
    else { return }
    let isGuarded =
      adopted.feedsStrip(port) && (adopted.followsRule || adopted.isPlacedByHand)
      && adopted.isStarting(nowNanoseconds: HostClock.nowNanoseconds())
    let past = waysPast(id, port)
    guard isGuarded || !past.isEmpty, isAlone(adopted, port, on: channel),
      let watched = try? presence.mix.watchedPort(named: port)
    else {
      presence.gate(ofStrip: held.name, channel: channel)?.release()
      return
    }
    let strip = adopted.stripPort(of: port, strip: held.name, client: presence.mix.name)
    let others = (adopted.connections[port] ?? []).subtracting(past).subtracting([strip])
    presence.gate(ofStrip: held.name, channel: channel)?
      .watch(watched, limit: others.count + 1)
  }

  /// Releases the gates of clients that have started by now.
  func reviewInputGates() {
    for (id, held) in tower.held {
      guard let adopted = held.adopted, adopted.followsRule || adopted.isPlacedByHand else {
        continue
      }
      for port in adopted.ports { reviewInputGate(id, port) }
    }
  }

  /// A channel that several outputs share cannot be silenced for one of them.
  private func isAlone(_ adopted: AdoptedClient, _ port: String, on channel: Int) -> Bool {
    adopted.ports.count { adopted.channel(of: $0) == channel } == 1
  }

  /// The ports of the hardware that an output is connected to past its strip.
  private func waysPast(_ id: SessionID, _ port: String) -> [String] {
    (tower.held[id]?.adopted?.connections[port] ?? []).filter(isReachable).sorted()
  }

  /// Connects an output to its strip.
  ///
  /// - Returns: Whether the way past the strip is to be taken away.
  private func connectToStrip(_ id: SessionID, _ port: String, isElsewhere: Bool) -> Bool {
    guard let presence, let held = tower.held[id], let adopted = held.adopted else { return false }
    var mayTake = false
    tower.changeAdopted(id) {
      mayTake = $0.budget.spend(nowNanoseconds: HostClock.nowNanoseconds())
    }
    guard mayTake else {
      publish(
        .gaveWay,
        "client '\(adopted.name)' insists on being connected to the hardware; the host gives way",
        details: ["rule": "INT-1", "port": .string(port)],
      )
      return false
    }
    guard adopted.feedsStrip(port) else { return true }
    let strip = adopted.stripPort(of: port, strip: held.name, client: presence.mix.name)
    let pair = ConnectionPair(source: port, destination: strip)
    // Who connects it to the hardware wants to hear it, whatever was disconnected before.
    if isElsewhere || adopted.isPlacedByHand { keeper.wantAgain(pair) }
    guard !keeper.takenAway.contains(pair) else { return true }
    do throws(JACKError) {
      try presence.mix.connect(port, to: strip, awaitsEffect: false)
      keeper.connected(pair)
      tower.changeAdopted(id) { _ = $0.found(port, connectedTo: strip) }
      tellRunning(id)
      return true
    } catch {
      publish(.error, "cannot connect \(port) → \(strip): \(error)")
      return false
    }
  }

  private func takeAway(_ port: String, _ other: String, by connection: ClientConnection) {
    do throws(JACKError) {
      try connection.disconnect(port, from: other)
      publish(
        .decision,
        "INT-1 \(port) sounds through its session's strip and not directly to \(other)",
        details: ["rule": "INT-1", "port": .string(port)],
      )
    } catch {
      // Gone by itself meanwhile.
      return
    }
  }

  /// An output of an adopted client, the strip's port that it feeds, and where it is heard.
  typealias Placement = (port: String, strip: String, hardware: [String])

  /// Where the adopted clients' outputs are heard now; with `ofSilent` those count too whose strip is
  /// shut, muted or all the way down.
  func placements(ofSilent: Bool) -> [Placement] {
    guard let presence, let mix else { return [] }
    let spec = mix.engine.spec
    return tower.held.values.flatMap { held -> [Placement] in
      guard let adopted = held.adopted,
        let strip = spec.strips.first(where: { $0.id == held.name }),
        ofSilent || !strip.isGated && !strip.isMuted && strip.faderDB > -.infinity
      else { return [] }
      return adopted.ports.compactMap { port in
        let own = adopted.stripPort(of: port, strip: held.name, client: presence.mix.name)
        let pair = ConnectionPair(source: port, destination: own)
        guard keeper.connections.contains(pair), let channel = adopted.channel(of: port) else {
          return nil
        }
        return (port, own, hardware(of: held.name, channel: channel))
      }
    }
  }

  /// The ports of the hardware that a channel of a strip is heard at; a recorder that somebody has patched
  /// to a route is none, and would hear the client twice once the host is back.
  private func hardware(of strip: String, channel: Int) -> [String] {
    guard let spec = mix?.engine.spec,
      let channels = spec.strips.first(where: { $0.id == strip })?.channels
    else { return [] }
    return spec.sends.filter { $0.strip == strip && !$0.isMuted }.flatMap { send in
      let places = keeper.places(of: send.route).map(\.others)
      let matrix =
        send.matrix
        ?? SendSpec.defaultMatrix(stripChannels: channels, routeChannels: places.count)
      let hardware = Set(keeper.ports.physical(facing: .outOfHost))
        .union(keeper.foundPorts(of: send.route))
      return zip(matrix, places).filter { $0.0[channel] != 0 }.flatMap(\.1)
        .filter(hardware.contains)
    }
  }
}
