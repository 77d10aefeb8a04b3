// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Mixing
internal import Patchbay
internal import Sessions

/// The sessions for `status` and `why`.
///
/// Belongs to the control thread.
final class SessionStatuses {
  private let control: Control
  private let ledger: SessionLedger
  private let hardware: HardwareRoom
  private let links: SessionLinks

  /// Makes the reports on the sessions of a ledger.
  init(control: Control, ledger: SessionLedger, hardware: HardwareRoom, links: SessionLinks) {
    self.control = control
    self.ledger = ledger
    self.hardware = hardware
    self.links = links
  }

  /// The status of every session, by age: its activity, and its interruptions and ducks with time and rule.
  func all() -> [SessionStatus] {
    ledger.state.status(atNanoseconds: control.nowNanoseconds).sessions.map { entry in
      let held = ledger.held[entry.session]
      let direct = directPorts(entry.session)
      let isConnected = cutPorts(entry.session).isEmpty
      return SessionStatus(
        id: ledger.name(of: entry.session),
        app: entry.app,
        category: entry.configuration.category,
        mode: entry.configuration.mode,
        options: entry.configuration.options,
        active: entry.isActive,
        priorityClass: entry.priorityClass,
        strips: held?.strips ?? [],
        direct: direct,
        connected: isConnected || !direct.isEmpty,
        sounding: entry.isSounding && isConnected && mixSilence(entry.session) == nil
          || !direct.isEmpty,
        silentForLong: entry.isActiveButSilent && direct.isEmpty,
        interruptedBy: entry.interruptedBy.first.map { describe($0) },
        duckedBy: entry.duckedBy.map { [ledger.name(of: $0)] } ?? [],
        duckGainDB: entry.duckGainDB,
        sinceMonotonicNanoseconds: entry.interruptedSinceNanoseconds
          ?? entry.changedAtNanoseconds,
        rule: entry.rule,
        preferred: held?.owner == .host
          ? hardware.preferredValues : preferred(by: entry.session),
      )
    }
  }

  private func preferred(by id: SessionID) -> PreferredValues {
    let preferences = ledger.session(id)?.preferences
    return PreferredValues(
      sampleRateHz: preferences?.sampleRateHz,
      ioBufferDurationSeconds: preferences?.ioBufferSeconds,
      inputChannels: preferences?.inputChannels,
      outputChannels: preferences?.outputChannels,
    )
  }

  private func describe(_ interrupter: Interrupter) -> SessionInterrupter {
    switch interrupter {
    case .session(let id): .session(ledger.name(of: id))
    case .simulated(let priorityClass): .simulated(priorityClass)
    case .background: .background
    case .microphoneMute: .microphoneMute
    case .routeDisconnect: .routeDisconnect
    }
  }

  /// The hardware ports that a session plays to past its strips, in natural order.
  private func directPorts(_ id: SessionID) -> [String] {
    guard let held = ledger.held[id] else { return [] }
    return Set(links.directSounds(id, held).flatMap(\.hardware))
      .sorted(by: NaturalOrder.areInIncreasingOrder)
  }

  /// The ports of routes at which a session would be heard, if all of them were cut off by hand; else none.
  private func cutPorts(_ id: SessionID) -> [String] {
    guard let held = ledger.held[id], let attachment = control.attachment else { return [] }
    let reaches = held.strips.map { attachment.reach(ofStrip: $0) }.filter { !$0.ports.isEmpty }
    guard !reaches.isEmpty, reaches.allSatisfy(\.isCutOff) else { return [] }
    return Set(reaches.flatMap(\.ports)).sorted(by: NaturalOrder.areInIncreasingOrder)
  }

  /// Why the mix lets nothing of a session through; nil where it does, and for a session without strips.
  private func mixSilence(_ id: SessionID) -> MixSilence? {
    guard let held = ledger.held[id], let spec = control.mixEngine?.spec else { return nil }
    return spec.silence(ofStrips: held.strips)
  }

  /// That the tower lets a session sound, and the mix does not.
  private func silenced(_ id: SessionID, _ name: String, _ strips: [String]) -> Why.Explanation? {
    guard ledger.session(id)?.isGateOpen == true,
      let silence = control.mixEngine?.spec.silence(ofStrips: strips)
    else { return nil }
    return Why.Explanation(
      session: name,
      level: .silent,
      sentence: "\(name) is silent because \(silence.phrase).",
      remedy: silence.remedy,
      rule: .act1,
    )
  }

  /// The reasons for the loudness or silence of a program's sessions.
  func explanations(of app: String) -> [Why.Explanation] {
    let named = Set([app] + links.sourcesOfClient(app))
    let isProgram = !ledger.sessions(of: app).isEmpty
    return ids(of: app).flatMap { id -> [Why.Explanation] in
      guard let held = ledger.held[id] else { return [] }
      // A strip's name asks about that strip, whatever others of the session do.
      let strips = isProgram ? held.strips : held.strips.filter(named.contains)
      let name = ledger.name(of: id)
      let direct = links.directSounds(id, held).map { $0.explanation(of: name) }
      // The strip is silent while its client is heard past it.
      if links.isHeardDirectlyOnly(id) { return direct }
      var reason = cutOff(id, name) ?? silenced(id, name, strips) ?? explanation(id, name)
      reason?.ifHostDies = links.ifHostDies(id, name)
      return direct
        + [reason].compactMap { $0.map { adding(links.inputFaults(held.strips), to: $0) } }
    }
  }

  /// An explanation that names the faults of a session's samples, too.
  private func adding(_ faults: String?, to explanation: Why.Explanation) -> Why.Explanation {
    guard let faults else { return explanation }
    var result = explanation
    result.sentence += " \(faults)"
    result.remedy = explanation.remedy ?? "Repair the program, or bypass its effects."
    return result
  }

  /// The sessions of a program, of that name, or with a strip of that name or fed by a client of it.
  private func ids(of app: String) -> [SessionID] {
    let ids = ledger.sessions(of: app)
    guard ids.isEmpty else { return ids }
    let strips = Set([app] + links.sourcesOfClient(app))
    return Set(strips.compactMap { ledger.session(ofStrip: $0) }).sorted()
  }

  private func explanation(_ id: SessionID, _ name: String) -> Why.Explanation? {
    ledger.state.explanation(of: id).map { explanation in
      Why.Explanation(
        session: name,
        level: explanation.level,
        sentence: explanation.sentence,
        remedy: explanation.remedy,
        rule: explanation.rule,
      )
    }
  }

  /// That a session would be heard, but at ports that somebody has disconnected.
  private func cutOff(_ id: SessionID, _ name: String) -> Why.Explanation? {
    let ports = cutPorts(id)
    guard !ports.isEmpty, ledger.session(id)?.isGateOpen == true else { return nil }
    let list = ports.joined(separator: ", ")
    return Why.Explanation(
      session: name,
      level: .silent,
      sentence: "\(name) is not connected: somebody has disconnected \(list) by hand.",
      remedy: "Connect \(list) to the hardware again.",
      rule: .rte2,
    )
  }
}
