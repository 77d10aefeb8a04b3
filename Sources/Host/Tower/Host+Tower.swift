// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Mixing
internal import Sessions

extension Host {
  /// Lets the tower know what happened, and carries out what it says.
  func tell(_ kind: TowerEvent.Kind) {
    carryOut(tower.take(kind))
  }

  /// Carries out what the tower says, in its order: first what falls silent, last who is told.
  func carryOut(_ effects: [TowerEffect]) {
    for effect in effects {
      switch effect {
      case .setGate(let session, let isOpen, let fadeMilliseconds):
        if isOpen { resumePlayers(of: session) }
        // What moves to its strip sounds already: a fade in would be a gap.
        let isStep = isOpen && tower.held[session]?.isBeingMoved == true
        onStrips(of: session) { engine, strip throws(MixError) in
          let fade: Mixing.Fade = isStep ? .none : .seconds(fadeMilliseconds / 1000)
          try engine.setGate(strip: strip, isOpen: isOpen, fade: fade)
        }
        keepState()
      case .setDuck(let session, let gainDB, let rampMilliseconds):
        onStrips(of: session) { engine, strip throws(MixError) in
          let fade = Mixing.Fade.seconds(rampMilliseconds / 1000)
          try engine.setDuck(strip: strip, decibels: gainDB, fade: fade)
        }
      case .setRoute(let session, let route):
        setRoute(route, of: session)
      case .notify(let session, let notification):
        publish(notification, to: session)
      case .askPermission(_, let app):
        publishQuestion(app)
      case .setCapture:
        settleGates()
      case .setHardware:
        afterHardwareWork { await $0.setHardware() }
      case .log(let decision):
        publish(decision)
      case .pausePlayer(let session):
        pausePlayer(session)
      case .resumePlayer(let session):
        resumePlayer(session)
      case .commandPlayer(let session, let command):
        commandPlayer(session, command)
      case .reply(let request, let reply):
        publish(reply, to: request)
      case .stopIO, .setInputGain, .setDataSource:
        // The gate has silenced who stops; the rest needs a handle that no strip has.
        break
      }
    }
  }

  private func onStrips(
    of session: SessionID,
    _ body: (MixEngine, String) throws(MixError) -> Void,
  ) {
    guard let engine = mix?.engine else { return }
    for strip in tower.held[session]?.strips ?? [] {
      do throws(MixError) {
        try body(engine, strip)
      } catch {
        publish(.error, "strip '\(strip)': \(error)")
      }
    }
  }

  /// Sends the session's own strip where its route goes; the graph's strips go where the graph says.
  func setRoute(_ route: RouteDescription, of session: SessionID) {
    guard let held = tower.held[session], held.ownsStrip else { return }
    let category = tower.tower.state.session(session)?.configuration.category
    setSends(of: held, to: route.outputs.map(\.uid), isFlat: category == .multiRoute)
  }

  /// Sends a session's own strip to these routes; an adopted client's channels where it placed them.
  func setSends(of held: HeldSession, to routes: [String], isFlat: Bool = false) {
    guard phase == .running, let mix else { return }
    let matrices = held.adopted.map { adopted in
      routes.map { adopted.matrix(to: keeper.places(of: $0).map(\.others)) }
    }
    for strip in held.strips {
      do throws(ControlError) {
        try mix.change(fade: held.isBeingMoved ? .none : .standard) { spec in
          if let matrices {
            spec.place(strip, to: routes, matrices)
          } else {
            spec.route(strip, to: routes, isFlat: isFlat)
          }
        }
      } catch {
        publish(.error, "strip '\(strip)': \(error)")
      }
    }
    areLatenciesStale = true
  }

  /// One line of the log for each decision, with its rule.
  private func publish(_ decision: Decision) {
    publish(
      .decision,
      decision.description,
      details: [
        "rule": .string(decision.rule.rawValue),
        "sessions": .array(decision.sessions.map { .string(name(of: $0)) }),
        "app": decision.app.map { .string($0) } ?? .null,
      ],
    )
  }

  private func publish(_ notification: SessionNotification, to session: SessionID) {
    var details = notification.details
    if case .routeChanged(_, let previous, let current) = notification {
      details["previousRoute"] = routeDetail(previous).jsonValue
      details["currentRoute"] = routeDetail(current).jsonValue
    }
    publish(notification.name, details, to: session)
  }

  /// Tells what came of a request that waited for the app's return (SYS-2).
  private func publish(_ reply: Reply, to request: Sessions.RequestID) {
    guard let session = tower.endWait(request) else { return }
    var details: [String: JSONValue] = ["request": .integer(Int64(request.rawValue))]
    if case .refused(let error) = reply { details["error"] = ControlError(error).jsonValue }
    publish("requestAnswered", details, to: session)
  }

  private func publish(_ name: String, _ facts: [String: JSONValue], to session: SessionID) {
    var details = facts
    details["notification"] = .string(name)
    details["session"] = .string(self.name(of: session))
    details["app"] = .string(tower.held[session]?.app ?? "")
    publish(.session, "session '\(self.name(of: session))': \(name)", details: details)
  }

  /// The session's name on the wire, or its number where it has ended.
  func name(of session: SessionID) -> String {
    tower.held[session]?.name ?? session.description
  }

  /// Tells at which frame a strip fell silent (INT-1).
  func gateClosed(strip: String, firstSilentFrame: UInt64) {
    guard let session = tower.session(ofStrip: strip) else { return }
    pausePlayer(ofStrip: strip, of: session)
    publish(
      .gateClosed,
      "strip '\(strip)' is silent from frame \(firstSilentFrame) on",
      frame: firstSilentFrame,
      details: ["session": .string(name(of: session)), "strip": .string(strip)],
    )
  }
}
