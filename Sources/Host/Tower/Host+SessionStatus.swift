// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Sessions

extension Host {
  /// Every session: who is active, who interrupts or ducks whom, since when and by which rule.
  func sessionStatuses() -> [SessionStatus] {
    tower.tower.state.status(atNanoseconds: HostClock.nowNanoseconds()).sessions.map { entry in
      let held = tower.held[entry.session]
      return SessionStatus(
        id: name(of: entry.session),
        app: entry.app,
        category: entry.configuration.category.name,
        mode: entry.configuration.mode.name,
        options: entry.configuration.options.names,
        active: entry.isActive,
        priorityClass: entry.priorityClass.rawValue,
        strips: held?.strips ?? [],
        direct: held?.adopted.map { directPorts(of: $0) } ?? [],
        sounding: entry.isSounding,
        silentForLong: entry.isActiveButSilent,
        interruptedBy: entry.interruptedBy.first.map { describe($0) },
        duckedBy: entry.duckedBy.map { [name(of: $0)] } ?? [],
        duckGainDB: entry.duckGainDB,
        sinceMonotonicNanoseconds: entry.interruptedSinceNanoseconds
          ?? entry.changedAtNanoseconds,
        rule: entry.rule?.rawValue,
        preferred: held?.owner == .host ? hostPreferred() : preferred(by: entry.session),
      )
    }
  }

  private func preferred(by session: SessionID) -> PreferredValues {
    let preferences = tower.tower.state.session(session)?.preferences
    return PreferredValues(
      sampleRateHz: preferences?.sampleRateHz,
      ioBufferDurationSeconds: preferences?.ioBufferSeconds,
      inputChannels: preferences?.inputChannels,
      outputChannels: preferences?.outputChannels,
    )
  }

  /// What the graph prefers: more than the tower weighs, as some of it is settled at attachment.
  private func hostPreferred() -> PreferredValues {
    PreferredValues(
      sampleRateHz: preference.sampleRateHz.map(Double.init),
      ioBufferDurationSeconds: preference.ioBuffer.map {
        $0.durationSeconds(atSampleRateHz: max(1, hardware.sampleRateHz))
      },
      inputChannels: preference.inputChannels,
      outputChannels: preference.outputChannels,
    )
  }

  private func describe(_ interrupter: Interrupter) -> String {
    switch interrupter {
    case .session(let id): name(of: id)
    case .simulated(let priorityClass): "simulated \(priorityClass.rawValue)"
    case .background: "background"
    case .microphoneMute: "muted microphone"
    case .routeDisconnect: "lost route"
    }
  }
}
