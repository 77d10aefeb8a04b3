// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import GraphFiles
internal import Sessions

extension HeldSession {
  /// Why no user moves it as a whole; nil where that can be done (VOL-4).
  var placementFault: String? {
    switch owner {
    case .host, .source: "its sources go where the graph sends them"
    case .client where strips.count > 1: "its strips have routes of their own"
    case .client, .connection: nil
    }
  }
}

/// The route picker: belongs to the control thread.
extension SessionRoom {
  /// Moves the program of a session to a route, or leaves it to the rules again (VOL-4).
  ///
  /// - Parameters:
  ///   - params: The session, and the route.
  ///   - outputs: The output routes of the graph.
  /// - Throws: `unknownSession`, `unknownRoute`, or `refused` with the reason.
  func choose(_ params: ChooseRoute.Params, outputs: [String]) throws(ControlError) {
    let id = try session(named: params.session)
    if let fault = held(id)?.placementFault {
      throw ControlError(
        .refused,
        place: "session",
        fault: "'\(params.session)' cannot be moved: \(fault) (VOL-4)",
        allowed: "sends of its strips, such as 'multiroute set send'",
      )
    }
    if let route = params.route {
      guard outputs.contains(route) else { throw .unknownRoute(route, known: outputs) }
      let choices = state.outputChoices(of: id)
      guard choices.contains(where: { $0.port.uid == route }) else {
        let usable = choices.filter { $0.fault == nil }.map(\.port.uid)
        throw ControlError(
          .refused,
          place: "route",
          fault: "'\(route)': \(OutputFault.notConnected.message) (VOL-4)",
          allowed: usable.isEmpty ? "none now" : usable.joined(separator: ", "),
        )
      }
    }
    try refusing { () throws(SessionError) in
      _ = try ask([.chooseOutput(portUID: params.route)], of: id)
    }
  }

  /// Ends a pick, because the user has connected the program elsewhere by hand since (VOL-4).
  func endPick(of id: SessionID) {
    guard let app = session(id)?.app, state.chosenOutputs[app] != nil else { return }
    // Only a session that has ended refuses that.
    _ = try? ask([.chooseOutput(portUID: nil)], of: id)
  }
}

extension Host {
  /// Registers the request of route pickers. [any-thread]
  nonisolated func registerRoutePicker(on router: ControlRouter) -> ControlRouter {
    router.on(ChooseRoute.self) { params, _ throws(ControlError) in
      try await self.run { rooms throws(ControlError) in
        let outputs = rooms.graph.outputRoutes.map(\.name)
        try rooms.sessions.choose(params, outputs: outputs)
        return Applied(frame: rooms.control.frame)
      }
    }
  }
}
