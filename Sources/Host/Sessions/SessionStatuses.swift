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
  /// Whether a strip has had no signal for a while.
  private let isQuiet: (_ strip: String) -> Bool

  /// Makes the reports on the sessions of a ledger.
  init(
    control: Control,
    ledger: SessionLedger,
    hardware: HardwareRoom,
    links: SessionLinks,
    isQuiet: @escaping (_ strip: String) -> Bool,
  ) {
    self.control = control
    self.isQuiet = isQuiet
    self.ledger = ledger
    self.hardware = hardware
    self.links = links
  }

  /// The status of every session, by age: its activity, and its interruptions and ducks with time and rule.
  func all() -> [SessionStatus] {
    let mix = heardMix
    return ledger.state.status(atNanoseconds: control.nowNanoseconds).sessions.map { entry in
      let held = ledger.held[entry.session]
      let direct = directPorts(entry.session)
      let verdict = verdict(entry.session, strips: held?.strips ?? [], in: mix)
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
        connected: verdict?.isCutOff != true || !direct.isEmpty,
        sounding: entry.isSounding && verdict?.isSilent != true || !direct.isEmpty,
        silence: direct.isEmpty ? verdict?.silence : nil,
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

  // MARK: - The judge

  /// The mix and its routes now; nil before the first attachment.
  private var heardMix: HeardMix? {
    control.mixEngine.map { HeardMix($0.spec, places: links.routePlaces()) }
  }

  /// How some strips of a session are heard: the judgement that `why`, `status` and displays tell.
  private struct Verdict {
    var explanation: Why.Explanation
    /// The silence of the mix or of a route, without the session's name.
    var mix: MixSilence?

    var isSilent: Bool { explanation.level == .silent }
    var isCutOff: Bool { mix?.place == .connection }
    /// The sentence of a silence; nil where it is heard.
    var silence: String? { isSilent ? explanation.sentence : nil }
    /// The reason for displays, which name the strip themselves; nil where it is heard in full.
    var reason: String? {
      explanation.level == .full ? nil : mix?.sentence ?? explanation.sentence
    }
  }

  /// Judges some strips of a session, from its rules over the mix to the ports of the routes, and then whether they have a signal.
  private func verdict(_ id: SessionID, strips: [String], in mix: HeardMix?) -> Verdict? {
    guard let held = ledger.held[id], let tower = ledger.state.explanation(of: id) else {
      return nil
    }
    var verdict = Verdict(
      explanation: Why.Explanation(
        session: held.name,
        level: tower.level,
        sentence: tower.sentence,
        remedy: tower.remedy,
        rule: tower.rule,
      )
    )
    guard ledger.session(id)?.isGateOpen == true else { return verdict }
    if let silence = mix?.silence(ofStrips: strips) {
      verdict.mix = silence
      verdict.explanation = Self.explanation(of: silence, held)
    } else if held.owner == .host, held.strips.isEmpty {
      verdict.explanation = Self.explanationWithoutSources(held)
    } else if tower.level != .silent, !strips.isEmpty, strips.allSatisfy(isQuiet) {
      verdict.explanation = Self.explanation(ofQuiet: strips, held)
    }
    return verdict
  }

  private static func explanation(of silence: MixSilence, _ held: HeldSession) -> Why.Explanation {
    Why.Explanation(
      session: held.name,
      level: .silent,
      sentence: silence.place == .connection
        ? "\(held.app) is not connected: \(silence.phrase)."
        : "\(held.app) is silent because \(silence.phrase).",
      remedy: silence.remedy,
      rule: silence.place == .mix ? .act1 : .rte2,
    )
  }

  private static func explanationWithoutSources(_ held: HeldSession) -> Why.Explanation {
    Why.Explanation(
      session: held.name,
      level: .silent,
      sentence: "\(held.app) plays nothing: no source of the graph is in its session.",
      remedy: "Write a source into the graph file.",
      rule: .act8,
    )
  }

  private static func explanation(ofQuiet strips: [String], _ held: HeldSession) -> Why.Explanation
  {
    let list = strips.map { "'\($0)'" }.joined(separator: ", ")
    return Why.Explanation(
      session: held.name,
      level: .silent,
      sentence: "\(held.app) is active but nothing plays into \(list).",
      remedy: "Check what is connected to \(list), and what it plays.",
      rule: .act8,
    )
  }

  /// Why strips are silent or lowered, in a sentence each; without those that are heard in full.
  func reasons(ofStrips strips: [String]) -> [String: String] {
    let mix = heardMix
    var reasons: [String: String] = [:]
    for strip in strips {
      guard let id = ledger.session(ofStrip: strip) else {
        reasons[strip] = mix?.silence(ofStrips: [strip])?.sentence
        continue
      }
      // The strip is silent while its client is heard past it.
      if links.isHeardDirectlyOnly(id) { continue }
      reasons[strip] = verdict(id, strips: [strip], in: mix)?.reason
    }
    return reasons
  }

  /// The reasons for the loudness or silence of a program's sessions.
  func explanations(of app: String) -> [Why.Explanation] {
    let named = Set([app] + links.sourcesOfClient(app))
    let isProgram = !ledger.sessions(of: app).isEmpty
    let mix = heardMix
    return ids(of: app).flatMap { id -> [Why.Explanation] in
      guard let held = ledger.held[id] else { return [] }
      // A strip's name asks about that strip, whatever others of the session do.
      let strips = isProgram ? held.strips : held.strips.filter(named.contains)
      let name = ledger.name(of: id)
      let direct = links.directSounds(id, held).map { $0.explanation(of: name) }
      // The strip is silent while its client is heard past it.
      if links.isHeardDirectlyOnly(id) { return direct }
      var reason = verdict(id, strips: strips, in: mix)?.explanation
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
}
