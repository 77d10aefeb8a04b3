// SPDX-License-Identifier: MIT

internal import JACK

/// One end of a connection as people name it: a node, a client, or some ports of a client.
public struct PatchPoint: Hashable, Sendable {
  /// What it was called.
  public let name: String
  /// The node, where it is one.
  public let node: Node?
  /// The name of the client.
  public let client: String
  /// Full names of audio ports, channel by channel.
  public let audio: [String]
  /// Full names of MIDI ports.
  public let midi: [String]
}

extension InterAppHost {
  /// Looks for an end of a connection; an installed node that does not run is started.
  ///
  /// - Parameters:
  ///   - name: A node's name, a client's name, or `client:` with the beginning of port names.
  ///   - isSource: Whether signals come out of it.
  /// - Returns: The ports on that side.
  /// - Throws: ``InterAppAudioError`` `notFound`, or what starting the node fails with.
  public func patchPoint(
    _ name: String,
    isSource: Bool,
  ) async throws(InterAppAudioError) -> PatchPoint {
    let listed = nodes()
    if let node = listed.first(where: { $0.client == name })
      ?? listed.first(where: { $0.description.name == name })
    {
      let running = node.isRunning ? node : try await start(node)
      return PatchPoint(
        name: name,
        node: running,
        client: running.name,
        audio: isSource ? running.audioOutputs : running.audioInputs,
        midi: isSource ? [] : running.midiInputs,
      )
    }
    let ports = try InterAppAudioError.wrapping { () throws(JACKError) in
      try connection.ports(flags: isSource ? .output : .input)
    }
    let fitting = ports.filter {
      name.contains(":") ? $0.name.hasPrefix(name) : $0.client == name
    }
    guard let client = fitting.first?.client else {
      let known = Set(ports.map(\.client)).union(listed.map(\.name)).sorted()
      throw InterAppAudioError(
        .notFound,
        "there is no node, client or port '\(name)' that \(isSource ? "gives" : "takes") signals; "
          + "there are: \(known.joined(separator: ", "))",
      )
    }
    return PatchPoint(
      name: name,
      node: nil,
      client: client,
      audio: fitting.filter(\.isAudio).map(\.name),
      midi: fitting.filter(\.isMIDI).map(\.name),
    )
  }

  /// Connects two ends: audio channel by channel, and MIDI where both have it.
  ///
  /// Where one is a node and the other a host that has published itself, the node is told that the
  /// host is connected.
  ///
  /// - Returns: The connections made.
  /// - Throws: ``InterAppAudioError`` `invalidFormat`, `unsupportedType` (they have nothing in
  ///   common), `notPermitted`, `tooManyInstances` or `jack`.
  public func connect(
    _ source: PatchPoint,
    to destination: PatchPoint,
  ) throws(InterAppAudioError) -> [String] {
    try claim(source.node, for: destination.client)
    try claim(destination.node, for: source.client)
    var pairs: [(source: String, destination: String)] = []
    if !source.audio.isEmpty, !destination.audio.isEmpty {
      pairs += try PortPairs.pairs(source.audio, destination.audio)
    }
    if !source.midi.isEmpty, !destination.midi.isEmpty {
      pairs += try PortPairs.pairs(source.midi, destination.midi)
    }
    guard !pairs.isEmpty else {
      throw InterAppAudioError(
        .unsupportedType,
        "'\(source.name)' gives nothing that '\(destination.name)' takes",
      )
    }
    for pair in pairs { try patch([pair.source], to: [pair.destination]) }
    return pairs.map { "\($0.source) → \($0.destination)" }
  }

  private func claim(_ node: Node?, for client: String) throws(InterAppAudioError) {
    guard let node, let uuid = try? connection.uuid(ofClient: client),
      let flags = (try? connection.metadata(for: NodeMetadata.hostFlags, of: uuid))?.text
    else { return }
    let said = NodeFlags(text: flags)
    let host = HostDescription(
      name: client,
      hasEntitlement: said.contains(.entitlement),
      mixesWithOthers: said.contains(.mixWithOthers),
      isSessionActive: said.contains(.sessionActive),
    )
    try host.checkAccess(to: node)
    try connection.claim(node, for: client)
  }

  /// Takes the connections between two ends away; those of everything with a node where no second
  /// end is given.
  public func disconnect(_ source: PatchPoint, from destination: PatchPoint) {
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
    guard let uuid = node.clientUUID else { return }
    // It has none: that is what was wanted.
    try? connection.removeMetadata(for: NodeMetadata.connectedHost, of: uuid)
  }
}
