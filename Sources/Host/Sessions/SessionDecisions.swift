// SPDX-License-Identifier: MIT

internal import Sessions

/// Takes events and requests to the tower, and carries out its decisions.
///
/// Belongs to the control thread.
final class SessionDecisions {
  private let ledger: SessionLedger
  private let strips: SessionStrips
  private let reports: SessionReports
  private let links: SessionLinks
  private var listen: (_ id: SessionID, _ isOn: Bool) -> Void = { _, _ in }

  /// Carries out the decisions of a ledger's tower.
  init(
    ledger: SessionLedger,
    strips: SessionStrips,
    reports: SessionReports,
    links: SessionLinks,
  ) {
    self.ledger = ledger
    self.strips = strips
    self.reports = reports
    self.links = links
  }

  /// Names the listener for the sounds of sessions; it needs the tower itself.
  func join(listen: @escaping (_ id: SessionID, _ isOn: Bool) -> Void) { self.listen = listen }

  /// Gives the tower an event, and carries out its decisions.
  func tell(_ kind: TowerEvent.Kind) { carryOut(ledger.take(kind)) }

  /// Asks the tower in a session's name, one request after the other, until one is refused.
  ///
  /// - Returns: The numbers of those that are answered later.
  /// - Throws: The refusal.
  func ask(_ requests: [SessionRequest], of id: SessionID) throws(SessionError) -> [UInt64] {
    var waiting: [UInt64] = []
    for request in requests {
      let (number, reply, effects) = ledger.ask(request, of: id)
      carryOut(effects)
      if case .refused(let error) = reply { throw error }
      if reply == nil { waiting.append(number.rawValue) }
    }
    return waiting
  }

  /// Carries out the tower's decisions in their order: sessions that fall silent come first, notifications
  /// last.
  func carryOut(_ effects: [TowerEffect]) {
    for effect in effects {
      switch effect {
      case .setGate(let id, let isOpen, let fadeMilliseconds):
        strips.setGate(id, isOpen: isOpen, fadeMilliseconds: fadeMilliseconds)
        links.gateChanged()
      case .setDuck(let id, let gainDB, let rampMilliseconds):
        strips.setDuck(id, gainDB: gainDB, rampMilliseconds: rampMilliseconds)
      case .setRoute(let id, let route): setRoute(route, of: id)
      case .notify(let id, let notification): reports.publish(notification, to: id)
      case .askPermission(_, let app): links.publishQuestion(app)
      case .setCapture: links.settleCaptures()
      case .setHardware: links.settleHardware()
      case .log(let decision): reports.publish(decision)
      case .reportCall(let state): reports.publish(state)
      case .pausePlayer(let id): links.pausePlayer(id)
      case .resumePlayer(let id): links.resumePlayer(id)
      case .commandPlayer(let id, let command): links.commandPlayer(id, command)
      case .listen(let id, let isOn): listen(id, isOn)
      case .reply(let request, let reply): reports.publish(reply, to: request)
      case .stopIO, .setInputGain, .setDataSource:
        // The gate has silenced the session; no strip has a handle for the rest.
        break
      }
    }
  }

  /// Sends a session's own strip to its route; the strips of the graph's sources go where the graph says.
  func setRoute(_ route: RouteDescription, of id: SessionID) {
    guard let held = ledger.held[id], held.ownsStrip else { return }
    let routes = route.outputs.map(\.uid)
    strips.setSends(
      of: id,
      to: routes,
      placed: held.isAdopted ? { [links] in links.sends(id, $0, routes) } : nil,
      isFlat: ledger.session(id)?.configuration.category == .multiRoute,
    )
  }

  /// Applies the tower's earlier decisions to a new strip, which is silent and without sends.
  func restoreStrip(of id: SessionID) {
    guard let session = ledger.session(id) else { return }
    carryOut([
      .setRoute(session: id, route: session.route),
      .setDuck(session: id, gainDB: session.duckGainDB, rampMilliseconds: 0),
      .setGate(
        session: id,
        isOpen: session.isGateOpen,
        fadeMilliseconds: ledger.state.configuration.fadeMilliseconds,
      ),
    ])
  }
}
