// SPDX-License-Identifier: MIT

public import JACK

extension ClientConnection {
  /// Makes a client the host of a node; the node's IsInterAppConnected becomes 1.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - host: The name of the host's client; nil for this one.
  /// - Returns: Whether the host is new for the node.
  /// - Throws: ``InterAppAudioError`` `instanceInvalidated` (the node is not running), `tooManyInstances`
  ///   (another running host has it) or `jack`.
  ///
  /// [control-thread & active]
  @discardableResult
  public func claim(_ node: Node, for host: String? = nil) throws(InterAppAudioError) -> Bool {
    guard let uuid = node.clientUUID else {
      throw InterAppAudioError(
        .instanceInvalidated,
        "node '\(node.name)' is not running; start it first"
      )
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
    let component = MetadataValue(node.description.component.text)
    try InterAppAudioError.wrapping { () throws(JACKError) in
      try setMetadata(component, for: NodeMetadata.hostComponent, of: uuid)
      try setMetadata(MetadataValue(mine), for: key, of: uuid)
    }
    return other != mine
  }

  /// Ends being the host of a node; the node's IsInterAppConnected becomes 0.
  ///
  /// Has no effect if the node has ended or has another host by now.
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
    // If the node ends in this moment, its property ends with it.
    try? removeMetadata(for: key, of: uuid)
  }

  /// Sets a parameter of a node.
  ///
  /// - Parameters:
  ///   - name: The parameter's name.
  ///   - value: A value in its range, in its unit.
  ///   - node: The node.
  /// - Throws: ``InterAppAudioError`` `instanceInvalidated` (the node is not running), `invalidProperty` (no such
  ///   parameter, or not in its range) or `jack`.
  ///
  /// [control-thread & active]
  public func setParameter(
    _ name: String,
    to value: Double,
    of node: Node,
  ) throws(InterAppAudioError) {
    guard let uuid = node.clientUUID else {
      throw InterAppAudioError(
        .instanceInvalidated,
        "node '\(node.name)' is not running; start it first"
      )
    }
    try setParameter(name, to: value, among: node.description.parameters, of: uuid)
  }

  /// Sets a parameter of the node that is the client with a UUID. [control-thread & active]
  func setParameter(
    _ name: String,
    to value: Double,
    among parameters: [NodeParameter],
    of uuid: UInt64,
  ) throws(InterAppAudioError) {
    guard let parameter = parameters.first(where: { $0.name == name }) else {
      let names = parameters.map(\.name).joined(separator: ", ")
      throw NodeParameter.fault(
        name,
        "the node has no such parameter",
        names.isEmpty ? "nothing, because it has none" : names
      )
    }
    guard parameter.allows(value) else {
      throw NodeParameter.fault(
        name,
        "the value is \(value)",
        "\(parameter.range.lowerBound) to \(parameter.range.upperBound)",
      )
    }
    try InterAppAudioError.wrapping { () throws(JACKError) in
      try setMetadata(
        MetadataValue(NodeParameterList.text(value)),
        for: NodeMetadata.parameter(name),
        of: uuid,
      )
    }
  }

  /// Removes all connections of a node's ports. [control-thread & active]
  public func unpatch(_ node: Node) {
    // A port that ends in this moment takes its connections with it.
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

  /// Announces recording and loop to all nodes, valid from a future frame.
  ///
  /// - Parameter state: The new state; its `fromFrame` is replaced.
  /// - Returns: The announced state.
  /// - Throws: ``JACKError``.
  ///
  /// [control-thread & active]
  @discardableResult
  public func announce(_ state: HostTransportState) throws(JACKError) -> HostTransportState {
    var state = state
    // A notification takes milliseconds; a quarter of a second is enough even on a loaded machine.
    let lead = try sampleRateHz / 4 + 4 * bufferFrames
    state.fromFrame = try frameTime &+ lead
    try setMetadata(MetadataValue(state.text), for: NodeMetadata.hostTransport, of: uuid)
    return state
  }

  /// Asks a node to come to the front, as opening PeerURL does in the original.
  ///
  /// [control-thread & active]
  public func activate(_ node: Node) throws(InterAppAudioError) {
    guard let uuid = node.clientUUID else {
      throw InterAppAudioError(
        .instanceInvalidated,
        "node '\(node.name)' is not running; start it first"
      )
    }
    try InterAppAudioError.wrapping { () throws(JACKError) in try askToActivate(uuid) }
  }
}
