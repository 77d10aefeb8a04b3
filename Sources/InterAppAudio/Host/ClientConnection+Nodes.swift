// SPDX-License-Identifier: MIT

public import JACK

extension ClientConnection {
  /// Makes a client the host of a node: IsInterAppConnected becomes 1 on the node's side.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - host: The name of the host's client; nil for this one.
  /// - Returns: Whether it was not its host before.
  /// - Throws: ``InterAppAudioError`` `instanceInvalidated` (it does not run), `tooManyInstances`
  ///   (another host that lives has it) or `jack`.
  ///
  /// [control-thread & active]
  @discardableResult
  public func claim(_ node: Node, for host: String? = nil) throws(InterAppAudioError) -> Bool {
    guard let uuid = node.clientUUID else {
      throw InterAppAudioError(.instanceInvalidated, "node '\(node.name)' does not run")
    }
    let key = NodeMetadata.connectedHost
    let mine = "\(server)/\(host ?? name)"
    let other = (try? metadata(for: key, of: uuid))?.text
    if let other, other != mine, other.hasPrefix(server + "/"),
      (try? self.uuid(ofClient: String(other.dropFirst(server.count + 1)))) != nil
    {
      throw InterAppAudioError(
        .tooManyInstances,
        "node '\(node.name)' is connected with '\(other)'; disconnect it there first",
      )
    }
    try InterAppAudioError.wrapping { () throws(JACKError) in
      try setMetadata(MetadataValue(mine), for: key, of: uuid)
    }
    return other != mine
  }

  /// Gives a node up: IsInterAppConnected becomes 0 on the node's side.
  ///
  /// A node that is gone, or has another host by now, is left alone.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - host: The name of the host's client; nil for this one.
  ///
  /// [control-thread & active]
  public func release(_ node: Node, for host: String? = nil) {
    let key = NodeMetadata.connectedHost
    guard let uuid = node.clientUUID,
      (try? metadata(for: key, of: uuid))?.text == "\(server)/\(host ?? name)"
    else { return }
    // Gone in this very moment: that is all the same.
    try? removeMetadata(for: key, of: uuid)
  }

  /// Takes all connections of a node's ports away. [control-thread & active]
  public func unpatch(_ node: Node) {
    // What is gone in this very moment is what was wanted.
    for port in node.audioInputs + node.midiInputs {
      for source in (try? connections(ofPort: port)) ?? [] {
        try? disconnect(source, from: port)
      }
    }
    for port in node.audioOutputs {
      for destination in (try? connections(ofPort: port)) ?? [] {
        try? disconnect(port, from: destination)
      }
    }
  }

  /// Announces recording and cycle to all nodes, from a frame on that none of them has reached yet.
  ///
  /// - Parameter state: What holds then; its `fromFrame` is replaced.
  /// - Returns: What was announced.
  /// - Throws: ``JACKError``.
  ///
  /// [control-thread & active]
  @discardableResult
  public func announce(_ state: HostTransportState) throws(JACKError) -> HostTransportState {
    var state = state
    // A notification takes milliseconds: a quarter of a second is time enough for a loaded machine.
    let lead = try sampleRateHz / 4 + 4 * bufferFrames
    state.fromFrame = try frameTime &+ lead
    try setMetadata(MetadataValue(state.text), for: NodeMetadata.hostTransport, of: uuid)
    return state
  }

  /// Asks a node to come to the front: the original's opening of PeerURL.
  public func activate(_ node: Node) throws(InterAppAudioError) {
    guard let uuid = node.clientUUID else {
      throw InterAppAudioError(.instanceInvalidated, "node '\(node.name)' does not run")
    }
    try InterAppAudioError.wrapping { () throws(JACKError) in try askToActivate(uuid) }
  }
}
