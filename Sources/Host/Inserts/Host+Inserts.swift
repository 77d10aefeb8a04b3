// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import InterAppAudio
internal import JACK

extension Host {
  /// Brings every chain of effects to what is wanted of it.
  func settleInserts() {
    guard phase == .running else { return }
    for place in nodes.chains.keys { settle(place) }
  }

  /// Brings a chain to what is wanted: fades to the sound without effects, patches, fades back.
  ///
  /// Nothing is heard of the patching; where nothing changes in the patch nothing is faded.
  private func settle(_ place: InsertPlace) {
    guard let chain = nodes.chains[place], !chain.isSettling, chain.lost == nil,
      let ports = presence?.inserts(at: place) ?? remakePorts(chain)
    else { return }
    if nodes.isStopped(at: place) {
      // Each change of the graph would have the server wait for the stopped client, and nobody behind it is
      // waited for anyhow.
      return ports.setWet(0)
    }
    let wanted = wantedLinks(chain, ports)
    let changed = Set(wanted).symmetricDifference(chain.links)
    if !changed.contains(where: { !ports.isOfOutlet($0) }) {
      // Through the effects all stays as it is.
      if !changed.isEmpty { patch(place, ports) }
      ports.setWet(wanted.isEmpty ? 0 : chain.wet)
      return
    }
    nodes.chains[place]?.isSettling = true
    ports.setWet(0)
    Task {
      await waitForDry(ports)
      guard presence?.inserts(at: place) === ports else { return }
      patch(place, ports)
      // The new links are there from the next cycle on; a delay line needs none to fill.
      try? await Task.sleep(for: .seconds(2 * hardware.periodMicroseconds * 1e-6))
      guard presence?.inserts(at: place) === ports else { return }
      nodes.chains[place]?.isSettling = false
      settle(place)
    }
  }

  private func waitForDry(_ ports: InsertPorts) async {
    let deadline = HostClock.nowNanoseconds() + 1_000_000_000
    while ports.wet > 0, HostClock.nowNanoseconds() < deadline {
      try? await Task.sleep(for: .milliseconds(2))
    }
  }

  /// The connections that a chain needs now; none where it has a fault.
  private func wantedLinks(_ chain: InsertChain, _ ports: InsertPorts) -> [ConnectionPair] {
    let present = chain.present { nodes.admitted($0) }
    let back = ports.returnClient.returnNames
    do throws(InterAppAudioError) {
      switch chain.place {
      case .strip:
        let heard = keeper.foundPorts(of: chain.place.name)
        return try InsertChain.links(from: heard, through: present, to: back)
      case .route:
        let links = try InsertChain.links(from: ports.sendNames, through: present, to: back)
        return links.isEmpty ? [] : links + outletLinks(ports)
      }
    } catch {
      let name = present.first.flatMap { nodes.wantedName(of: $0) } ?? chain.place.name
      Task { fault(name, "in \(chain.place.description): \(error)") }
      return []
    }
  }

  /// What comes back from a route's effects is heard wherever the route's own ports are connected.
  private func outletLinks(_ ports: InsertPorts) -> [ConnectionPair] {
    zip(ports.routeNames, ports.outlet?.names ?? []).flatMap { own, outlet in
      keeper.destinations(of: own).map { ConnectionPair(source: outlet, destination: $0) }
    }
  }

  /// Takes in that a port of the host's has been connected or disconnected.
  func followRoute(_ port: String) {
    guard phase == .running else { return }
    for ports in presence?.inserts ?? [] where ports.routeNames.contains(port) {
      settle(ports.place)
    }
  }

  /// Takes away what is too much and makes what is missing, while the chain is not heard.
  private func patch(_ place: InsertPlace, _ ports: InsertPorts) {
    guard let chain = nodes.chains[place], let connection = presence?.mix else { return }
    let wanted = wantedLinks(chain, ports)
    var links = chain.links
    nodes.chains[place]?.links = wanted
    for pair in chain.links where !wanted.contains(pair) {
      // Gone with its port: that is what was wanted.
      try? connection.disconnect(pair.source, from: pair.destination)
      links.removeAll { $0 == pair }
    }
    for pair in wanted where !links.contains(pair) {
      keeper.patched(pair)
      do throws(JACKError) {
        try connection.connect(pair.source, to: pair.destination)
      } catch {
        keeper.unpatched(pair)
        // The node may be gone by now, and then its notification is under way.
        nodes.chains[place]?.links.removeAll { $0 == pair }
        guard error.code != .serverGone else { continue }
        noteFailure(of: pair, at: place, "\(error)")
      }
    }
  }

  /// Leaves a node out whose ports cannot be connected, again and again: trying costs the server time.
  private func noteFailure(of pair: ConnectionPair, at place: InsertPlace, _ reason: String) {
    let ends = [pair.source, pair.destination]
    let present = nodes.chains[place]?.present { nodes.admitted($0) } ?? []
    let node = present.first { node in
      (node.audioInputs + node.audioOutputs).contains { ends.contains($0) }
    }
    guard let name = node.flatMap({ nodes.wantedName(of: $0) }) else { return }
    nodes.wanted[name]?.failedConnections += 1
    guard let failures = nodes.wanted[name]?.failedConnections, failures >= Self.failureLimit else {
      return
    }
    nodes.wanted[name]?.failedConnections = 0
    let fault = "cannot connect \(pair.source) → \(pair.destination): \(reason)"
    Task { self.fault(name, fault + "; it is bypassed until it is set again") }
  }

  /// So many connections in vain are enough.
  private static let failureLimit = 3

  /// Goes to the sound without effects at once where a link of a chain has been taken away.
  func linkLost(_ pair: ConnectionPair) {
    for (place, chain) in nodes.chains where chain.links.contains(pair) && !chain.isSettling {
      // Made again since, by this host.
      if let made = try? presence?.mix.connections(ofPort: pair.source),
        made.contains(pair.destination)
      {
        continue
      }
      presence?.inserts(at: place)?.setWet(0)
      nodes.chains[place]?.links.removeAll { $0 == pair }
      let since = chain.lost?.sinceNanoseconds ?? HostClock.nowNanoseconds()
      let pairs = (chain.lost?.pairs ?? []).union([pair])
      nodes.chains[place]?.lost = InsertChain.LostLinks(sinceNanoseconds: since, pairs: pairs)
    }
  }

  /// Forgets the links of a port that is gone: nobody has taken them away.
  func linksGone(with port: String) {
    for place in nodes.chains.keys { nodes.chains[place]?.forgetLinks(with: port) }
    settleInserts()
  }

  /// Lets lost links that no vanished port explains count as a user's will; by the host's timer.
  func settleLostLinks() {
    let now = HostClock.nowNanoseconds()
    for (place, chain) in nodes.chains {
      guard let lost = chain.lost,
        now &- lost.sinceNanoseconds >= ConnectionKeeper.doubtNanoseconds
      else { continue }
      nodes.chains[place]?.lost = nil
      if let ports = presence?.inserts(at: place),
        lost.pairs.isDisjoint(with: wantedLinks(chain, ports))
      {
        settle(place)
        continue
      }
      nodes.chains[place]?.isLeftAlone = true
      publish(
        .nodeFault,
        "a user has taken the effects of \(place.description) apart; they are bypassed until they "
          + "are set again",
        details: place.details,
      )
    }
  }
}
