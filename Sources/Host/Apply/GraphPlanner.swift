// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import Mixing
internal import Sessions

extension GraphPlan {
  /// Makes a plan with the differences of two graphs, and nothing that follows from them.
  ///
  /// [any-thread]
  init(of difference: GraphDifference) {
    self.init()
    changes = difference.changes.map { change in
      switch change.kind {
      case .added: Change(part: change.title, kind: .added)
      case .gone: Change(part: change.title, kind: .gone)
      case .renamed(let name): Change(part: change.title, kind: .renamed, was: name)
      case .changed(let values):
        Change(
          part: change.title,
          kind: .changed,
          values: values.map { Value(key: $0.key, from: $0.from, to: $0.to) },
        )
      }
    }
  }
}

/// The plans of versions of the graph. [control-thread]
extension Rooms {
  /// Everything that a version does to the host as it is now.
  ///
  /// - Parameters:
  ///   - difference: The differences between the graph in force and the version.
  ///   - new: The version.
  /// - Returns: The plan.
  func plan(of difference: GraphDifference, to new: GraphFile) -> GraphPlan {
    var plan = GraphPlan(of: difference)
    guard !difference.isEmpty else { return plan }
    plan.heard = heard(difference, new)
    let sessionPlan = SessionPlan(
      from: graph,
      to: new,
      renamed: difference.renamedSources,
      settings: towerSettings(under: new, renamed: difference.renamedSources),
      sessions: knownSessions(new),
      state: sessions.state,
      sampleRateHz: hardware.sampleRateHz,
    )
    plan.sessions = sessionPlan.changes + captureChanges(new)
    plan.hardware = hardwareChanges(new, sessions.hardwareDemand(in: sessionPlan.after))
    plan.server = serverChange(to: new, plan.hardware)
    return plan
  }

  /// All sessions, with the new version's rule for each adopted client.
  private func knownSessions(_ new: GraphFile) -> [SessionPlan.Known] {
    sessions.all.map { id, held in
      var known = SessionPlan.Known(id: id, name: held.name, app: held.app, owner: held.owner)
      if case .client(let client) = held.owner {
        known.adopted = adoptedSession(of: client, under: new)
      }
      return known
    }
  }

  /// The programs without a session that record, and may not any more, or may now.
  private func captureChanges(_ new: GraphFile) -> [GraphPlan.SessionChange] {
    capture.changes(under: new).map { client, program, permission, isHeard in
      GraphPlan.SessionChange(
        session: client,
        app: program.shownName,
        effect: isHeard ? .mayRecord : .losesRecording,
        reason: isHeard && permission != .granted
          ? "the graph asks for no permission any more"
          : "it has no session, and its permission is \(permission.name) now",
      )
    }
  }

  // MARK: - What is heard

  private func heard(_ difference: GraphDifference, _ new: GraphFile) -> [GraphPlan.Heard] {
    guard let present = control.mixEngine?.spec else { return [] }
    let ramp = new.rampDuration.seconds * 1_000
    let change = mixChange(to: new, difference, present: present)
    let paused = GraphPauses(
      difference,
      new: new,
      rampMilliseconds: ramp,
      periodMilliseconds: hardware.periodMicroseconds * 1e-3,
    )
    let mix = MixPlan(from: change.from, to: change.to, rampMilliseconds: ramp).heard
    return paused.heard
      + mix.filter { entry in
        guard let strip = entry.strip, entry.route == nil else { return true }
        return !paused.strips.contains(strip)
      }
  }

  /// The mix as it is, with the new names, and the one that follows it.
  private func mixChange(
    to new: GraphFile,
    _ difference: GraphDifference,
    present: MixSpec,
  ) -> (from: MixSpec, to: MixSpec) {
    let present = present.renamed(
      strips: difference.renamedSources,
      routes: difference.renamedRoutes,
    )
    var channels = Dictionary(present.strips.map { ($0.id, $0.channels) }) { first, _ in first }
    let rate = Double(hardware.sampleRateHz)
    let before = MixBuilder.spec(of: difference.before, channels: channels, sampleRateHz: rate)
    for source in new.sources { channels[source.name] = source.channels ?? channels[source.name] }
    let after = MixBuilder.spec(of: new, channels: channels, sampleRateHz: rate)
    return (present, MixChange(present.keepingFallbacks(of: new), from: before, to: after).spec)
  }

  // MARK: - Hardware and server

  private func hardwareChanges(
    _ new: GraphFile,
    _ demand: HardwareDemand?,
  ) -> [GraphPlan.HardwareChange] {
    let facts = hardware.facts
    guard facts.sampleRateHz > 0 else { return [] }
    let next = hardware.forecast(under: new.serverPreference, demand)
    return [
      GraphPlan.HardwareChange(
        value: "sampleRateHz",
        from: facts.sampleRateHz,
        to: next.sampleRateHz
      ),
      GraphPlan.HardwareChange(
        value: "ioBufferFrames",
        from: facts.bufferFrames,
        to: next.bufferFrames
      ),
    ].filter { $0.from != $0.to }
  }

  private func serverChange(
    to new: GraphFile,
    _ hardware: [GraphPlan.HardwareChange],
  ) -> GraphPlan.ServerChange? {
    let milliseconds = server.attachSeconds.map { ($0 * 1_000).rounded() }
    if let (part, reason) = partForStart(of: new) {
      return GraphPlan.ServerChange(
        effect: .hostStartsAgain,
        silentMilliseconds: milliseconds,
        reason: "a running host cannot change '\(part)': \(reason)",
      )
    }
    if new.server != graph.server {
      return GraphPlan.ServerChange(
        effect: .changes,
        silentMilliseconds: milliseconds,
        reason: "'server' changes",
      )
    }
    guard server.status.owned, hardware.contains(where: { $0.value == "sampleRateHz" }) else {
      return nil
    }
    return GraphPlan.ServerChange(
      effect: .restarts,
      silentMilliseconds: milliseconds,
      reason: "another sample rate needs a new start",
    )
  }
}
