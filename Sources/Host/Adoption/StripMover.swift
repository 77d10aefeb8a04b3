// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import JACK
internal import Mixing
internal import Patchbay
internal import Sessions

/// Moves adopted clients from the hardware to their strips and back, without a gap and without doubled sound.
///
/// Belongs to the control thread.
final class StripMover {
  private let control: Control
  private let connectsPorts: Bool
  private let sessions: SessionRoom
  private let clients: AdoptedClients
  private let places: AdoptedPlaces

  /// Makes a mover of the clients of a directory.
  init(
    control: Control,
    connectsPorts: Bool,
    sessions: SessionRoom,
    clients: AdoptedClients,
    places: AdoptedPlaces,
  ) {
    self.control = control
    self.connectsPorts = connectsPorts
    self.sessions = sessions
    self.clients = clients
    self.places = places
  }

  // MARK: - To the strip

  /// Moves a client's direct connections to the hardware over to its strip (INT-1).
  ///
  /// The gate of each channel is closed before its output is connected to the strip, and opens in the very
  /// cycle in which the direct connection has gone (``InputGate``). All gains are set before that without a
  /// fade.
  ///
  /// - Parameters:
  ///   - id: The part of the client.
  ///   - isElsewhere: Whether it is to be heard at other ports than before.
  /// - Returns: Whether it is heard elsewhere by further connections that were found meanwhile.
  @discardableResult
  func moveToStrip(_ id: AdoptedPart, isElsewhere: Bool = false) -> Bool {
    guard connectsPorts, let attachment = control.attachment,
      !attachment.connections.ignoresOwnConnections, clients[id]?.isPatchedByOthers == false
    else { return false }
    var hasFoundElsewhere = false
    sessions.whileMoving(id.session) {
      let ports = clients[id]?.ports ?? []
      var moving: [String] = []
      var siblings = (areFound: false, areElsewhere: isElsewhere)
      repeat {
        for port in ports { reviewInputGate(id, port) }
        if siblings.areElsewhere { restateRule(id) }
        let joined = ports.filter { port in
          !moving.contains(port) && !places.directConnections(id, port).isEmpty
            && connectToStrip(id, port, isElsewhere: siblings.areElsewhere)
        }
        moving += joined
        // While the server was busy with that, a starting client may have connected its next output. Where it was not, its
        // report comes; to ask would let this thread sleep for 1.1 periods (jackd2, `WaitGraphChange`).
        siblings = joined.isEmpty ? (false, false) : placeSiblings(id)
        hasFoundElsewhere = hasFoundElsewhere || siblings.areElsewhere
      } while siblings.areFound
      for port in moving {
        for other in places.directConnections(id, port) {
          disconnect(port, from: other, on: attachment)
        }
      }
    }
    return hasFoundElsewhere
  }

  /// Connects an output to its strip.
  ///
  /// - Returns: Whether its direct connection is to be removed.
  private func connectToStrip(_ id: AdoptedPart, _ port: String, isElsewhere: Bool) -> Bool {
    guard let attachment = control.attachment, let client = clients[id],
      let strip = places.strip(of: id)
    else { return false }
    let now = control.nowNanoseconds
    switch clients.change(id, { $0.verdict(port, nowNanoseconds: now) }) {
    case .moves: break
    case .givesWay(let isNews):
      if isNews {
        control.publish(
          .gaveWay(.connection(of: port, rule: .int1)),
          "client '\(client.name)' insists on being connected to the hardware; the host gives way",
        )
      }
      return false
    case nil: return false
    }
    guard client.feedsStrip(port) else { return true }
    let stripPort = client.stripPort(of: port, strip: strip, client: attachment.hostName)
    let pair = ConnectionPair(source: port, destination: stripPort)
    // A client that connects it to the hardware wants it to be heard, even after earlier disconnections.
    if isElsewhere || client.isPlacedByHand {
      attachment.connections.wantAgain(pair)
    }
    guard !attachment.connections.isTakenAway(pair) else { return true }
    do throws(JACKError) {
      try attachment.connections.join(pair)
      clients.change(id) { _ = $0.found(port, connectedTo: stripPort) }
      sessions.tellRunning(id.session)
      return true
    } catch {
      control.publish(.error(), "cannot connect \(port) → \(stripPort): \(error)")
      return false
    }
  }

  private func disconnect(_ port: String, from other: String, on attachment: Attachment) {
    do throws(JACKError) {
      try attachment.connections.cut(ConnectionPair(source: port, destination: other))
      control.publishEnforcement(of: port, insteadOf: other)
    } catch {
      // The connection has gone by itself.
      return
    }
  }

  /// Checks where a starting client has connected its other outputs, so that all of them move together.
  ///
  /// Where the graph has just changed, this takes 1.1 periods (jackd2, `WaitGraphChange`). Moving one output after the other
  /// takes longer: two periods in the middle of 120 clients of two outputs.
  ///
  /// - Returns: Whether any of them was found connected to the hardware, and whether that changes where it is
  ///   heard.
  func placeSiblings(_ id: AdoptedPart) -> (areFound: Bool, areElsewhere: Bool) {
    let now = control.nowNanoseconds
    guard let attachment = control.attachment, let client = clients[id],
      client.isStarting(nowNanoseconds: now)
    else { return (false, false) }
    var result = (areFound: false, areElsewhere: false)
    for sibling in client.ports where (client.connections[sibling] ?? []).isEmpty {
      for other in attachment.connections.others(of: sibling) where places.isReachable(other) {
        clients.change(id) { client in
          guard client.found(sibling, connectedTo: other) else { return }
          result.areFound = true
          result.areElsewhere =
            client.place(sibling, at: other, nowNanoseconds: now) || result.areElsewhere
        }
      }
    }
    return result
  }

  /// Updates the rules for the connections of a client's strip: those that feed it and those of its sends.
  func restateRule(_ id: AdoptedPart) {
    guard let strip = places.strip(of: id), let client = clients[id],
      let attachment = control.attachment
    else { return }
    attachment.connections.change(
      client.connectionRule(strip: strip, client: attachment.hostName)
    )
    if var traits = sessions.session(id.session)?.traits {
      let parts = clients.parts(of: id.session).compactMap { clients[$0] }
      traits.pinnedOutputs = places.pinnedOutputs(of: parts)
      traits.preferredOutputs = places.preferredOutputs(of: parts)
      if traits != sessions.session(id.session)?.traits {
        sessions.tell(.traitsChanged(session: id.session, traits: traits))
      }
    }
    // The route is the same, but perhaps other channels of it.
    if let route = sessions.session(id.session)?.route { sessions.setRoute(route, of: id.session) }
  }

  // MARK: - Back to the hardware

  /// Moves adopted clients back to the hardware before the host ends, where that makes none of them louder.
  ///
  /// All others stay on their strips, which fade out with the host, and are connected to nothing after it.
  ///
  /// - Parameter session: The session whose client is moved; nil for all.
  func moveToHardware(only session: SessionID? = nil) {
    guard let attachment = control.attachment, connectsPorts else { return }
    for (port, strip, hardware) in places.patch.placements {
      if let session, clients.part(ofPort: port)?.session != session { continue }
      // Keep the connections to the strip and to other programs, but leave out direct ones: with a direct
      // connection the strip is silent in the same cycle, even while an earlier one is still being removed.
      if let id = clients.part(ofPort: port), let name = places.strip(of: id),
        let client = clients[id], let channel = client.channel(of: port)
      {
        let others = (client.connections[port] ?? []).subtracting(
          places.directConnections(id, port)
        )
        .subtracting([strip])
        attachment.strips.watchInput(
          ofStrip: name,
          channel: channel,
          port: port,
          limit: others.count + 1,
        )
      }
      for other in hardware {
        do throws(JACKError) {
          try attachment.connections.connect(ConnectionPair(source: port, destination: other))
        } catch {
          // A port that has gone in the meantime needs no connection.
          guard attachment.connections.ports.contains(other) else { continue }
          control.publish(
            .error(),
            "\(port) cannot be moved back to \(other), and is silent: \(error)"
          )
        }
      }
      attachment.connections.disconnect(ConnectionPair(source: port, destination: strip))
    }
  }

  // MARK: - Input gates

  /// Closes or releases the gate of an output's channel, depending on its connections.
  func reviewInputGate(_ id: AdoptedPart, _ port: String) {
    guard let attachment = control.attachment, let client = clients[id],
      let name = places.strip(of: id), let channel = client.channel(of: port)
    else { return }
    let isGuarded =
      client.feedsStrip(port) && (client.followsRule || client.isPlacedByHand)
      && client.isStarting(nowNanoseconds: control.nowNanoseconds)
    // The cables of others are theirs, also where they make a sound twice.
    let direct = client.isPatchedByOthers ? [] : places.directConnections(id, port)
    guard isGuarded || !direct.isEmpty, isAlone(client, port, on: channel) else {
      return attachment.strips.releaseInput(ofStrip: name, channel: channel)
    }
    let strip = client.stripPort(of: port, strip: name, client: attachment.hostName)
    let others = (client.connections[port] ?? []).subtracting(direct).subtracting([strip])
    attachment.strips.watchInput(
      ofStrip: name,
      channel: channel,
      port: port,
      limit: others.count + 1,
    )
  }

  /// Releases the gates of clients that have finished starting.
  func reviewInputGates() {
    for (id, client) in clients.all where client.followsRule || client.isPlacedByHand {
      for port in client.ports { reviewInputGate(id, port) }
    }
  }

  /// Whether the output is the only one of its channel; a shared channel cannot be silenced for one output.
  private func isAlone(_ client: AdoptedClient, _ port: String, on channel: Int) -> Bool {
    client.ports.count { client.channel(of: $0) == channel } == 1
  }
}
