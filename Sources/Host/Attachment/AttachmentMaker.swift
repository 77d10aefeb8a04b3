// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import Mixing
internal import Patchbay

/// Makes attachments to a server: the mix, the clients with their ports, and the rules for connections.
///
/// The mix and the patches of users come from the previous attachment, or else from the kept state. Belongs
/// to the control thread.
struct AttachmentMaker {
  let control: Control
  let graph: GraphFile
  let controllers: [ControllerDevice]
  let connectsPorts: Bool
  let keeping: KeepingRoom
  let sources: SourceRoom
  let recording: RecordingRoom
  let levels: LevelRoom
  let routes: RouteRoom
  let sessions: SessionRoom
  let adoption: AdoptionRoom
  let patches: PatchRoom

  /// Makes an attachment with a client that is open.
  ///
  /// - Parameters:
  ///   - opened: The client, which cannot be used after that.
  ///   - rate: The rate of the server in hertz.
  /// - Returns: The attachment, still without connections.
  /// - Throws: The error of JACK, the engine or a source; all clients are closed then.
  func attachment(with opened: any OpenedPresence, sampleRateHz rate: Double) throws -> Attachment {
    let bank = try sources.open(sampleRateHz: rate, positions: keeping.positions)
    let last =
      control.mixEngine?.spec ?? keeping.startMix(channels: bank.channels, sampleRateHz: rate)
    // No route is known to be away before the server's ports are known.
    let spec = last.heardElsewhere([:])
    recording.prepare(spec, sampleRateHz: rate)
    var made: MixEngine?
    let presence = try opened.appear(
      graph: graph,
      controllers: controllers,
      spec: spec,
      bank: bank,
      taps: recording.taps,
      feeds: sources.feeds(sampleRateHz: rate),
      times: levels.callbackTimes,
    ) { tag throws in
      let engine = try MixEngine(
        spec,
        configuration: MixEngine.Configuration(
          sampleRateHz: rate,
          standardFadeSeconds: graph.rampDuration.seconds,
        ),
        tag: tag,
      )
      made = engine
      return engine
    }
    guard let engine = made else { throw HostError(.jack, "the clients were made without a mix") }
    return try Attachment(
      presence: presence,
      mix: MixControl(engine: engine),
      keeper: keeper(for: presence, channels: bank.channels),
      losses: losses,
      graph: graph,
      leavesOut: { [patches] pair in patches.leavesOut(pair) },
      control: control,
    )
  }

  /// The ports that the server has lost: a new one has lost none.
  private var losses: FreewheelLosses {
    guard case .starting(let remains?) = control.life else { return FreewheelLosses() }
    return remains.losses
  }

  /// The connections to make on a server.
  private func keeper(
    for presence: any HostPresence,
    channels: [String: Int],
  ) -> ConnectionKeeper {
    var keeper = control.life.remains?.connections ?? keeping.startConnections
    keeper.attach(
      rules: connectsPorts ? rules(for: presence, channels: channels) : [],
      ownPorts: presence.ownPorts,
    )
    routes.markUnplugged(in: &keeper)
    keeper.hide(presence.hiddenPorts)
    for selector in graph.inputSelectors {
      keeper.watch(ConnectionRule.Target(selector), facing: .intoHost)
    }
    return keeper
  }

  private func rules(
    for presence: any HostPresence,
    channels: [String: Int],
  ) -> [ConnectionRule] {
    GraphRules.rules(
      of: graph,
      channels: channels,
      mixClient: presence.hostName,
      sourceClient: presence.sourceClient,
    ) + sessions.rules(client: presence.hostName) + adoption.rules(client: presence.hostName)
  }
}
