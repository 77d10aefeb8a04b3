// SPDX-License-Identifier: MIT

internal import Mixing
internal import Sessions

extension Rooms {
  /// The present values that outlive the host.
  func keepingSnapshot() -> KeepingSnapshot {
    let state = sessions.state
    return KeepingSnapshot(
      spec: control.mixEngine?.spec,
      programs: programSnapshots(),
      preferences: state.keptPreferences,
      permissions: state.permissions,
      answeredFiles: capture.answeredFiles,
      positions: sources.positions,
    )
  }

  /// The programs with sessions.
  func programSnapshots() -> [ProgramSnapshot] {
    let strips = Dictionary((control.mixEngine?.spec.strips ?? []).map { ($0.id, $0) }) {
      first,
      _ in first
    }
    return sessions.all.flatMap { programSnapshots($1, $0, strips: strips) }
  }

  /// A program that has a session, with an entry for each strip; none for the sessions of the graph.
  func programSnapshots(_ held: HeldSession, _ id: SessionID) -> [ProgramSnapshot] {
    let strips = (control.mixEngine?.spec.strips ?? []).filter { held.strips.contains($0.id) }
    return programSnapshots(
      held,
      id,
      strips: Dictionary(strips.map { ($0.id, $0) }) { first, _ in first },
    )
  }

  private func programSnapshots(
    _ held: HeldSession,
    _ id: SessionID,
    strips: [String: StripSpec],
  ) -> [ProgramSnapshot] {
    switch held.owner {
    case .host, .source: return []
    case .client, .connection: break
    }
    var program = ProgramSnapshot(name: held.keptName)
    if let session = sessions.state.session(id) {
      program.session = KeptSession(
        configuration: session.configuration,
        priorityClass: session.priorityClass,
        wasActive: session.isActive,
        isPaused: session.isPaused ? true : nil,
        isHeld: adoption.isPlayerPaused(id) && !session.isPaused ? true : nil,
      )
    }
    program.placement = adoption.placement(id)
    var programs = [program]
    for (index, name) in held.strips.enumerated() where held.ownsStrip {
      guard let strip = strips[name] else { continue }
      var present = held
      present.note(control.mixEngine?.spec.sends ?? [], of: name, index)
      let graphStrip = held.graphStrips.indices.contains(index) ? held.graphStrips[index] : nil
      let isCuedByGraph = graphStrip.map { inForce.file.isCued($0) } ?? false
      let level = ProgramSnapshot.Level(
        gainDB: strip.faderDB,
        isMuted: strip.isMuted,
        start: held.start(ofStrip: index),
        pan: strip.pan,
        isCued: strip.isCued == isCuedByGraph ? nil : strip.isCued,
        sends: present.sendLevels[index] ?? [:],
      )
      if held.graphStrips.isEmpty {
        programs[0].level = level
      } else {
        programs.append(ProgramSnapshot(name: held.keptName(ofStrip: index), level: level))
      }
    }
    return programs
  }
}
