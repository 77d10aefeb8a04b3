// SPDX-License-Identifier: MIT

internal import JACK

/// Connections between ends that a user names: all of them or none.
extension InterAppHost {
  /// Connects places in the order of the signal; starts installed nodes that are not running.
  ///
  /// Before a node is started, all places are found and all known channels are checked. Before a connection is made, all
  /// channels are checked.
  ///
  /// - Parameters:
  ///   - places: Two or more names, as for ``patchPoint(_:isSource:)``.
  ///   - refusal: Why two ports, an output and an input by their full names, may not be connected; nil where they may.
  /// - Returns: The connections, as `source → destination`.
  /// - Throws: ``InterAppAudioError`` as ``patchPoint(_:isSource:)`` and ``connect(_:to:)`` do, and `notPermitted` with a refusal;
  ///   all connections are unchanged then, and nodes that were started for them end.
  public func connect(
    _ places: [String],
    unless refusal: (_ source: String, _ destination: String) -> String? = { _, _ in nil },
  ) async throws(InterAppAudioError) -> [String] {
    let names = Array(zip(places, places.dropFirst()))
    var waiting: [String: Node] = [:]
    for (from, to) in names {
      let ends = (try lookUp(from, isSource: true), try lookUp(to, isSource: false))
      let idle = [ends.0, ends.1].filter { $0.node?.isRunning == false }
      for end in idle { waiting[end.name] = end.node }
      if idle.isEmpty { _ = try ends.0.pairs(to: ends.1) }
    }
    var started: [String: Node] = [:]
    do throws(InterAppAudioError) {
      for place in places where started[place] == nil {
        if let node = waiting[place] { started[place] = try await start(node) }
      }
      return try patch(names, knowing: started, unless: refusal)
    } catch {
      for node in started.values { _ = try? await stop(node) }
      throw error
    }
  }

  private func patch(
    _ names: [(String, String)],
    knowing started: [String: Node],
    unless refusal: (_ source: String, _ destination: String) -> String?,
  ) throws(InterAppAudioError) -> [String] {
    var steps: [(source: PatchPoint, destination: PatchPoint)] = []
    for (from, to) in names {
      let source = try lookUp(from, isSource: true, knowing: started)
      steps.append((source, try lookUp(to, isSource: false, knowing: started)))
    }
    for step in steps {
      for pair in try step.source.pairs(to: step.destination) {
        guard let reason = refusal(pair.source, pair.destination) else { continue }
        throw InterAppAudioError(.notPermitted, "\(pair.source) → \(pair.destination): \(reason)")
      }
    }
    return try connect(steps)
  }

  /// Connects two ends: audio channel by channel, and MIDI if both ends have it.
  ///
  /// If one end is a node and the other a host that has published itself, the host becomes the host of the node.
  ///
  /// - Returns: The new connections, as `source → destination`.
  /// - Throws: ``InterAppAudioError`` `invalidFormat`, `unsupportedType` (no ports in common),
  ///   `notPermitted`, `tooManyInstances` or `jack`; all connections are unchanged then.
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

  /// Makes clients that have published themselves as hosts the hosts of the nodes that they are connected with.
  ///
  /// - Returns: The nodes with a new host.
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

  /// The description that a client publishes as a host; nil if it is no host.
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
      takesRemoteControl: said.contains(.remoteControl),
      hasBackgroundAudio: said.contains(.backgroundAudio),
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
      // If a port ends in this moment, its connection ends too.
      for pair in made { try? connection.disconnect(pair.source, from: pair.destination) }
      throw InterAppAudioError(.jack, error.description)
    }
  }
}

extension InterAppHost {
  /// Removes the connections between two ends; starts no node.
  ///
  /// - Parameters:
  ///   - source: The name of the source, as for ``patchPoint(_:isSource:)``.
  ///   - destination: The name of the destination.
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
        // If a port ends in this moment, its connection ends too.
        try? connection.disconnect(port, from: other)
      }
    }
  }

  /// Removes all connections of a node and tells it that no host is connected.
  public func disconnect(_ node: Node) {
    connection.unpatch(node)
    let key = NodeMetadata.connectedHost
    // libjack prints an error if the property does not exist.
    guard let uuid = node.clientUUID, (try? connection.metadata(for: key, of: uuid)) != nil else {
      return
    }
    try? connection.removeMetadata(for: key, of: uuid)
  }
}

/// Connections between ports, with effects between them.
extension InterAppHost {
  /// Connects ports channel by channel; a single port on one side is connected with all ports of the other.
  ///
  /// - Throws: ``InterAppAudioError`` `invalidFormat` if the numbers of channels do not fit, or `jack`.
  public func patch(
    _ sources: [String],
    to destinations: [String],
  ) throws(InterAppAudioError) {
    let pairs = try PortPairs.pairs(sources, destinations)
    try InterAppAudioError.wrapping { () throws(JACKError) in
      for pair in pairs { try connection.connect(pair.source, to: pair.destination) }
    }
  }

  /// Inserts a chain of effects between ports that may be connected now.
  ///
  /// The chain is connected first and the direct connections are removed last. JACK does this in steps, so a live insert is
  /// audible; the MultiRoute host hides it behind a crossfade.
  ///
  /// - Throws: ``InterAppAudioError`` `unsupportedType` (a node takes no audio), `invalidFormat` or
  ///   `jack`.
  public func insert(
    _ effects: [NodeInstance],
    between sources: [String],
    and destinations: [String],
  ) throws(InterAppAudioError) {
    var from = sources
    for effect in effects {
      guard effect.node.description.kind.takesAudio else {
        throw InterAppAudioError(
          .unsupportedType,
          "node '\(effect.node.name)' is no effect: it takes no audio",
        )
      }
      try patch(from, to: effect.node.audioInputs)
      from = effect.node.audioOutputs
    }
    try patch(from, to: destinations)
    guard !effects.isEmpty else { return }
    for pair in try PortPairs.pairs(sources, destinations) {
      // Without a direct connection the call fails, which is fine.
      try? connection.disconnect(pair.source, from: pair.destination)
    }
  }
}
