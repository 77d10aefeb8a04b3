// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import GraphFiles
internal import JACK
internal import Mixing

extension Host {
  /// Opens the control socket.
  func openSocket() async throws(HostError) {
    var settings = ControlServerConfiguration(
      hostName: configuration.graph.name,
      hostVersion: HostVersion.current,
    )
    settings.directory = configuration.socketDirectory
    settings.executor = thread
    settings.prepareThread = { ControlThread.raisePriority() }
    do throws(ControlServerError) {
      control = try await ControlServer.start(settings, handler: router(), logger: logger)
    } catch {
      throw HostError(.noSocket, "\(error)")
    }
  }

  private nonisolated func router() -> ControlRouter {
    ControlRouter()
      .on(GetStatus.self) { _, _ in await self.status() }
      .on(SetGain.self) { params, _ throws(ControlError) in
        try await self.change(params) { mix throws(ControlError) in
          try mix.setGain(
            params.target,
            decibels: params.gainDB,
            fade: Self.fade(params.rampMilliseconds),
          )
        }
      }
      .on(SetMute.self) { params, _ throws(ControlError) in
        try await self.change(params) { mix throws(ControlError) in
          try mix.setMute(params.target, isMuted: params.muted)
        }
      }
      .on(SetSolo.self) { params, _ throws(ControlError) in
        try await self.change(params) { mix throws(ControlError) in
          try mix.setSolo(strip: params.strip, isSoloed: params.solo)
        }
      }
      .on(SetCue.self) { params, _ throws(ControlError) in
        try await self.change(params) { mix throws(ControlError) in
          try mix.setCue(strip: params.strip, isCued: params.cue, route: params.route)
        }
      }
      .on(SetPan.self) { params, _ throws(ControlError) in
        try await self.change(params) { mix throws(ControlError) in
          try mix.setPan(
            strip: params.strip,
            pan: params.pan,
            fade: Self.fade(params.rampMilliseconds),
          )
        }
      }
      .on(SetSend.self) { params, _ throws(ControlError) in
        try await self.change(params, rerouting: true) { mix throws(ControlError) in
          try mix.setSend(params, fade: Self.fade(params.rampMilliseconds))
        }
      }
      .on(SetCrossfader.self) { params, _ throws(ControlError) in
        try await self.change(params) { mix throws(ControlError) in
          try mix.refusing { () throws(MixError) in
            try mix.engine.setCrossfader(
              position: params.position,
              fade: Self.fade(params.rampMilliseconds),
            )
          }
        }
      }
      .on(ControlProtocol.Fade.self) { params, _ throws(ControlError) in
        try await self.startFade(params)
      }
      .on(SetInserts.self) { params, _ throws(ControlError) in try await self.setInserts(params) }
      .on(SetBypass.self) { params, _ throws(ControlError) in try await self.setBypass(params) }
      .on(OpenSession.self) { params, connection throws(ControlError) in
        try await self.openSession(params, for: connection)
      }
      .on(ConfigureSession.self) { params, _ throws(ControlError) in
        try await self.configureSession(params)
      }
      .on(ActivateSession.self) { params, _ throws(ControlError) in
        try await self.activateSession(named: params.session)
      }
      .on(DeactivateSession.self) { params, _ throws(ControlError) in
        try await self.deactivateSession(params)
      }
      .on(CloseSession.self) { params, _ throws(ControlError) in
        try await self.closeSession(named: params.session)
      }
      .on(GetSession.self) { params, _ throws(ControlError) in
        try await self.sessionDetail(named: params.session)
      }
      .on(AdjustSession.self) { params, _ throws(ControlError) in
        try await self.adjustSession(params)
      }
      .on(SetSessionPorts.self) { params, _ throws(ControlError) in
        try await self.setSessionPorts(params)
      }
      .on(SendRemoteCommand.self) { params, _ throws(ControlError) in
        try await self.remoteCommand(params)
      }
      .on(Why.self) { params, _ throws(ControlError) in try await self.why(params.app) }
      .on(Simulate.self) { params, _ throws(ControlError) in try await self.simulate(params) }
      .on(ListPermissions.self) { _, _ in await self.listPermissions() }
      .on(SetPermission.self) { params, _ in await self.setPermission(params) }
      .on(RequestPermission.self) { params, _ throws(ControlError) in
        try await self.requestPermission(params)
      }
      .on(SetAlignment.self) { params, _ throws(ControlError) in
        try await self.setAlignment(params)
      }
      .on(StartRecording.self) { params, _ throws(ControlError) in
        try await self.startRecording(params)
      }
      .on(StopRecording.self) { params, _ throws(ControlError) in
        try await self.stopRecording(params)
      }
      .onConnectionClosed { connection in await self.connectionClosed(connection) }
      .on(Stop.self) { params, _ in
        Task { await self.stop(fadeSeconds: params.fadeMilliseconds.map { $0 / 1000 }) }
        return NoResult()
      }
      .onSubscriptionsChanged { demand in await self.subscriptionsChanged(demand) }
  }

  private static func fade(_ milliseconds: Double?) -> Mixing.Fade {
    milliseconds.map { .seconds($0 / 1000) } ?? .standard
  }

  /// Changes the mix, and tells everybody.
  ///
  /// - Parameters:
  ///   - params: What was asked for; the event's details.
  ///   - rerouting: Whether signals take other ways then, so that latencies change.
  ///   - body: The change.
  /// - Returns: The frame at which it was handed to the audio thread.
  /// - Throws: What the change was refused for.
  private func change(
    _ params: some ControlParams,
    rerouting: Bool = false,
    _ body: (inout MixControl) throws(ControlError) -> Void,
  ) throws(ControlError) -> Applied {
    var mix = try currentMix()
    try body(&mix)
    self.mix = mix
    if rerouting { restateLatencies() }
    publish(.mixChanged, "the mix has changed", details: params.details)
    keepState()
    return Applied(frame: frame())
  }

  private func startFade(
    _ params: ControlProtocol.Fade.Params
  ) throws(ControlError) -> ControlProtocol.Fade.Result {
    var mix = try currentMix()
    let fade = try mix.startFade(
      params.target,
      decibels: params.gainDB,
      seconds: params.durationMilliseconds / 1000,
    )
    self.mix = mix
    keepState()
    return ControlProtocol.Fade.Result(
      fade: UInt64(fade.number),
      fromGainDB: fade.fromDB,
      frame: frame(),
    )
  }

  /// The mix; there is none before the host is attached for the first time.
  func currentMix() throws(ControlError) -> MixControl {
    guard let mix else {
      throw ControlError(.notReady, message: "the host is not attached to a JACK server yet")
    }
    return mix
  }

  /// Has JACK told of the ways through the host, in a moment.
  ///
  /// The server asks every client then, which takes it long where there are many: changes that follow each
  /// other are told together.
  func restateLatencies() {
    guard !isRestatingLatencies else { return }
    isRestatingLatencies = true
    Task {
      try? await Task.sleep(for: Self.latencyDelay)
      self.restateLatenciesNow()
    }
  }

  private static let latencyDelay = Duration.milliseconds(10)

  private func restateLatenciesNow() {
    isRestatingLatencies = false
    guard let presence, let mix else { return }
    // The server would ask a stopped client too, and let everybody wait for 5 s.
    areLatenciesStale = nodes.haveStopped
    guard !areLatenciesStale else { return }
    let paths = presence.mixPorts.latencyPaths(mix.engine.spec, inserts: presence.inserts) {
      mix.engine.latencyFrames(ofRoute: $0) ?? 0
    }
    // Where the server has just gone, the next attachment states them anew.
    try? presence.mix.setLatencyPaths(paths)
  }

  /// The JACK frame now; nil while there is no server.
  func frame() -> UInt64? {
    (try? presence?.mix.frameTime).map(UInt64.init)
  }

  private func subscriptionsChanged(_ demand: SubscriptionDemand) {
    let asked = demand.metersIntervalMilliseconds.map { UInt64($0) * 1_000_000 }
    metersWantedNanoseconds = [asked, configuration.metersIntervalNanoseconds]
      .compactMap { $0 }.min()
  }
}
