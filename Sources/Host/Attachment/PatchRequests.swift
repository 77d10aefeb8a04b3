// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import GraphFiles
internal import JACK
internal import Patchbay

extension Host {
  /// Answers the requests about the patch. [any-thread]
  nonisolated func registerPatch(on router: ControlRouter) -> ControlRouter {
    router
      .on(ListPatch.self) { _, _ throws(ControlError) in
        try await self.run { rooms throws(ControlError) in try rooms.patch() }
      }
      .on(ConnectPorts.self) { params, _ throws(ControlError) in
        try await self.run { rooms throws(ControlError) in
          try rooms.connectByHand(params)
        }
      }
      .on(DisconnectPorts.self) { params, _ throws(ControlError) in
        try await self.run { rooms throws(ControlError) in
          try rooms.changePatch(params) { connections, pair throws(JACKError) in
            try connections.cutByHand(pair)
          }
        }
      }
  }
}

/// The rooms as requests about the patch use them. [control-thread]
extension Rooms {
  /// The ports and connections of the server.
  ///
  /// - Throws: `notReady` without a server.
  fileprivate func patch() throws(ControlError) -> ListPatch.Result {
    guard let attachment = control.attachment else { throw .notAttachedYet }
    let adopted = Set(adoption.rules(client: attachment.hostName).map(\.owner))
    do throws(JACKError) {
      var patch = try attachment.connections.patch(adoptedStrips: adopted)
      for index in patch.connections.indices where patch.connections[index].owner == nil {
        let found = patch.connections[index]
        let pair = ConnectionPair(source: found.source, destination: found.destination)
        guard let rule = patches.rule(askingFor: pair) else { continue }
        patch.connections[index].by(ruleInLine: rule.line)
      }
      return patch
    } catch {
      throw ControlError(.notReady, message: "the patch cannot be read: \(error)")
    }
  }

  /// Connects two ports as a user does, unless a patch rule denies it.
  ///
  /// - Throws: As ``changePatch(_:_:)``, and `refused` with the rule.
  fileprivate func connectByHand(_ params: PortPairParams) throws(ControlError) -> NoResult {
    let pair = ConnectionPair(source: params.source, destination: params.destination)
    if let rule = patches.denial(of: pair) {
      throw ControlError(
        .refused,
        message:
          "\(pair.source) → \(pair.destination): \(rule.name) of \(graph.path) denies it: \(rule.text)",
      )
    }
    return try changePatch(params) { connections, pair throws(JACKError) in
      try connections.connectByHand(pair)
    }
  }

  /// Changes a connection as a user does: JACK reports it, and the host takes the report for a user's act.
  ///
  /// - Throws: `notReady` without a server, `badValue` for a port that is not there, `refused` with JACK's reason.
  fileprivate func changePatch(
    _ params: PortPairParams,
    _ change: (HostConnections, ConnectionPair) throws(JACKError) -> Void,
  ) throws(ControlError) -> NoResult {
    guard let connections = control.attachment?.connections else { throw .notAttachedYet }
    let source = try connections.port(params.source, isOutput: true)
    let destination = try connections.port(params.destination, isOutput: false)
    do throws(JACKError) {
      try change(connections, ConnectionPair(source: source, destination: destination))
    } catch {
      throw ControlError(.refused, message: "\(source) → \(destination): \(error)")
    }
    return NoResult()
  }
}

/// The patch of the server. [control-thread]
extension HostConnections {
  /// The ports of all clients, and all of their connections.
  ///
  /// - Parameter adoptedStrips: The strips of adopted clients.
  /// - Returns: The patch.
  /// - Throws: JACK's reason.
  fileprivate func patch(adoptedStrips: Set<String>) throws(JACKError) -> ListPatch.Result {
    let found = try allPorts()
    var pairs: [ConnectionPair] = []
    for port in found where port.isOutput {
      pairs += others(of: port.name).map { ConnectionPair(source: port.name, destination: $0) }
    }
    let own = ownClients
    return ListPatch.Result(
      ports: found.sorted { NaturalOrder.areInIncreasingOrder($0.name, $1.name) }.map { port in
        PatchPort(
          name: port.name,
          direction: port.isOutput ? .output : .input,
          type: port.isMIDI ? .midi : .audio,
          isHost: own.contains(port.client),
          isPhysical: port.isPhysical,
        )
      },
      connections: pairs.sorted().map { pair in
        let owner: String? = if case .owner(let name) = maker(of: pair) { name } else { nil }
        let isAdopted = owner.map(adoptedStrips.contains) ?? false
        return PatchConnection(
          source: pair.source,
          destination: pair.destination,
          madeBy: isAdopted ? .adoption : PatchMaker(maker(of: pair)),
          owner: owner,
        )
      },
    )
  }

  /// The full name of a port.
  ///
  /// - Throws: `badValue` where there is none of that direction.
  fileprivate func port(_ name: String, isOutput: Bool) throws(ControlError) -> String {
    guard let port = portInfo(name), port.isOutput == isOutput else {
      let direction = isOutput ? "output" : "input"
      throw ControlError(
        .badValue,
        place: isOutput ? "source" : "destination",
        fault: "there is no \(direction) port '\(name)'",
        allowed: "an \(direction) port that listPatch names",
      )
    }
    return port.name
  }
}

extension PatchMaker {
  /// The maker that the patchbay names. [any-thread]
  fileprivate init(_ maker: ConnectionMaker) {
    self =
      switch maker {
      case .owner, .host: .host
      case .user: .user
      case .program: .program
      }
  }
}
