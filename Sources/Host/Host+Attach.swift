// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import ControlProtocol
internal import GraphFiles
internal import JACK
internal import Logging
internal import Mixing

extension Host {
  /// Opens clients on the server (starting one where that is allowed), applies the preferred values, and
  /// makes ports and connections.
  ///
  /// The first time and after each loss alike: gains, players and connections are those of before.
  ///
  /// - Parameter keepingSessions: Whether sessions and their wishes stay as they are, because the server
  ///   was not lost.
  /// - Throws: ``HostError``; both clients are closed then.
  func attach(keepingSessions: Bool = false) async throws(HostError) {
    if !keepingSessions { wish = preference }
    do {
      let opened = try await server.open(name: configuration.graph.name, preference: wish)
      hardware = try await HardwareFacts.negotiate(
        wish,
        server: server,
        connection: opened.connection,
      )
      try appear(with: opened)
    } catch {
      endCaptures()
      presence?.close()
      presence = nil
      throw error as? HostError ?? HostError(.jack, "\(error)")
    }
    phase = .running
    prepareHelpers()
    routeLatencies.removeAll()
    alignRoutes()
    tellAvailability()
    if keepingSessions { resumeSessions() } else { beginSessions() }
    beginCaptures()
    beginNodes()
    continuation.yield(.attached(status()))
  }

  /// Makes the engine, the ports and the connections.
  private func appear(with opened: consuming OpenedClient) throws {
    let graph = configuration.graph
    let rate = Double(hardware.sampleRateHz)
    let bank = try sources(sampleRateHz: rate)
    let spec = mix?.engine.spec ?? startMix(channels: bank.channels, sampleRateHz: rate)
    prepareRecorders(spec, sampleRateHz: rate)
    let presence = try Presence(
      opened,
      graph: graph,
      spec: spec,
      bank: bank,
      taps: recordingTaps,
      times: times,
    ) { tag throws in
      let engine = try MixEngine(
        spec,
        configuration: MixEngine.Configuration(
          sampleRateHz: rate,
          standardFadeSeconds: graph.rampDuration.seconds,
        ),
        tag: tag,
      )
      mix = MixControl(engine: engine)
      return engine
    }
    self.presence = presence
    listen(to: presence.mix)
    let rules = GraphRules.rules(
      of: graph,
      channels: bank.channels,
      mixClient: presence.mix.name,
      sourceClient: presence.sources?.name,
    )
    let wanted = rules + sessionRules(client: presence.mix.name)
    keeper.attach(
      rules: configuration.connectsPorts ? wanted : [],
      ownPorts: presence.ownPorts,
      fallbacks: Dictionary(
        graph.routes.compactMap { route in route.fallback.map { (route.name, $0) } }
      ) { first, _ in first },
    )
    keeper.hide(presence.hiddenPorts)
    try readPorts(of: presence)
    connectMissing()
    if presence.mix.wasRenamed {
      publish(
        .hardwareChanged,
        "the name \"\(presence.mix.requestedName)\" was taken; "
          + "JACK calls this host \"\(presence.mix.name)\"",
      )
    }
  }

  /// The players and tones, opened at the first attachment and kept from then on.
  private func sources(sampleRateHz: Double) throws(HostError) -> SourceBank {
    if let bank {
      try bank.reconfigure(sampleRateHz: sampleRateHz)
      return bank
    }
    let made = try SourceBank(
      graph: configuration.graph,
      positions: kept.positions,
      sampleRateHz: sampleRateHz,
    ) { [weak self] source, event in
      Task { await self?.fileEvent(event, of: source) }
    }
    bank = made
    return made
  }

  private func fileEvent(_ event: FilePlayerEvent, of source: String) {
    let details: [String: JSONValue] = ["strip": .string(source)]
    switch event {
    case .endOfFile:
      publish(.fileEnded, "source '\(source)' has played to its end", details: details)
    case .underrun(let frames):
      publish(
        .error,
        "source '\(source)': the disk was too slow; \(frames) frames of silence",
        details: details,
      )
    case .failed(let error):
      publish(.error, "source '\(source)': \(error)", details: details)
    }
  }
}
