// SPDX-License-Identifier: MIT

internal import JACK

/// Connecting ends that people name, all or nothing.
extension InterAppHost {
  /// Connects places one after the other, in the order of the signal; installed nodes are started.
  ///
  /// All places are looked for, and channels counted as far as they are known, before anything is started; all is
  /// counted before anything is connected.
  ///
  /// - Parameter places: What ``patchPoint(_:isSource:)`` takes, two or more.
  /// - Returns: The connections, as `source → destination`.
  /// - Throws: ``InterAppAudioError`` as ``patchPoint(_:isSource:)`` and ``connect(_:to:)`` do.
  public func connect(_ places: [String]) async throws(InterAppAudioError) -> [String] {
    let names = Array(zip(places, places.dropFirst()))
    var waiting: [String: Node] = [:]
    for (from, to) in names {
      let ends = (try lookUp(from, isSource: true), try lookUp(to, isSource: false))
      let idle = [ends.0, ends.1].filter { $0.node?.isRunning == false }
      for end in idle { waiting[end.name] = end.node }
      if idle.isEmpty { _ = try ends.0.pairs(to: ends.1) }
    }
    var started: [String: Node] = [:]
    for place in places where started[place] == nil {
      if let node = waiting[place] { started[place] = try await start(node) }
    }
    var steps: [(source: PatchPoint, destination: PatchPoint)] = []
    for (from, to) in names {
      let source = try lookUp(from, isSource: true, knowing: started)
      steps.append((source, try lookUp(to, isSource: false, knowing: started)))
    }
    return try connect(steps)
  }

  /// Connects two ends: audio channel by channel, and MIDI where both have it.
  ///
  /// Where one is a node and the other a host that has published itself, the node is told that the
  /// host is connected.
  ///
  /// - Returns: The connections made, as `source → destination`.
  /// - Throws: ``InterAppAudioError`` `invalidFormat`, `unsupportedType` (they have nothing in
  ///   common), `notPermitted`, `tooManyInstances` or `jack`; nothing is changed then.
  public func connect(
    _ source: PatchPoint,
    to destination: PatchPoint,
  ) throws(InterAppAudioError) -> [String] {
    try connect([(source, destination)])
  }

  private func connect(
    _ steps: [(source: PatchPoint, destination: PatchPoint)]
  ) throws(InterAppAudioError) -> [String] {
    var pairs: [(source: String, destination: String)] = []
    for step in steps { pairs += try step.source.pairs(to: step.destination) }
    let claims = try claim(
      steps.flatMap { step in
        [(step.source.node, step.destination.client), (step.destination.node, step.source.client)]
      }
    )
    do throws(InterAppAudioError) {
      try patchAll(pairs)
    } catch {
      for claim in claims { connection.release(claim.node, for: claim.host) }
      throw error
    }
    return pairs.map { "\($0.source) → \($0.destination)" }
  }

  // MARK: - Inside

  /// Makes clients that have published themselves as hosts those of the nodes beside them.
  ///
  /// - Returns: Those that were not before.
  private func claim(
    _ ends: [(node: Node?, client: String)]
  ) throws(InterAppAudioError) -> [(node: Node, host: String)] {
    var wanted: [(node: Node, host: String)] = []
    for (node, client) in ends {
      guard let node, let host = published(client) else { continue }
      try host.checkAccess(to: node)
      wanted.append((node, client))
    }
    var claims: [(node: Node, host: String)] = []
    do throws(InterAppAudioError) {
      for (node, client) in wanted where try connection.claim(node, for: client) {
        claims.append((node, client))
      }
    } catch {
      for claim in claims { connection.release(claim.node, for: claim.host) }
      throw error
    }
    return claims
  }

  /// What a client says as a host; nil where it is none.
  private func published(_ client: String) -> HostDescription? {
    guard let uuid = try? connection.uuid(ofClient: client),
      let flags = (try? connection.metadata(for: NodeMetadata.hostFlags, of: uuid))?.text
    else { return nil }
    let said = NodeFlags(text: flags)
    return HostDescription(
      name: client,
      hasEntitlement: said.contains(.entitlement),
      mixesWithOthers: said.contains(.mixWithOthers),
      isSessionActive: said.contains(.sessionActive),
    )
  }

  private func patchAll(
    _ pairs: [(source: String, destination: String)]
  ) throws(InterAppAudioError) {
    var made: [(source: String, destination: String)] = []
    do throws(JACKError) {
      for pair in pairs
      where try connection.connect(pair.source, to: pair.destination) == .connected {
        made.append(pair)
      }
    } catch {
      // Gone in this very moment: that is what was wanted.
      for pair in made { try? connection.disconnect(pair.source, from: pair.destination) }
      throw InterAppAudioError(.jack, error.description)
    }
  }
}

extension InterAppHost {
  /// Takes the connections between two ends away; nothing is started for that.
  ///
  /// - Parameters:
  ///   - source: Where the signal comes from, as ``patchPoint(_:isSource:)`` takes it.
  ///   - destination: Where it goes to.
  /// - Throws: ``InterAppAudioError`` `notFound` or `jack`.
  public func disconnect(
    _ source: String,
    from destination: String,
  ) throws(InterAppAudioError) {
    let source = try lookUp(source, isSource: true)
    let destination = try lookUp(destination, isSource: false)
    for port in source.audio + source.midi {
      for other in (try? connection.connections(ofPort: port)) ?? []
      where (destination.audio + destination.midi).contains(other) {
        // Gone in this very moment: that is what was wanted.
        try? connection.disconnect(port, from: other)
      }
    }
  }

  /// Takes all of a node's connections away and tells it that no host is connected.
  public func disconnect(_ node: Node) {
    connection.unpatch(node)
    let key = NodeMetadata.connectedHost
    // libjack complains aloud where it has none.
    guard let uuid = node.clientUUID, (try? connection.metadata(for: key, of: uuid)) != nil else {
      return
    }
    try? connection.removeMetadata(for: key, of: uuid)
  }
}
