// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import JACK
internal import Mixing
internal import Patchbay
internal import Sessions

/// Reports on sessions to programs and people: status, details, explanations, and events.
///
/// Belongs to the control thread.
final class SessionReports {
  private let control: Control
  private let inForce: GraphRoom
  private var graph: GraphFile { inForce.file }
  private let ledger: SessionLedger
  private let hardware: HardwareRoom
  private let routePorts: () -> [RoutePort]

  /// Reports on the sessions of a ledger.
  ///
  /// - Parameters:
  ///   - control: The services that all rooms share.
  ///   - graph: The graph.
  ///   - ledger: The sessions.
  ///   - hardware: The values that sessions ask for and get.
  ///   - routePorts: The routes, and whether they are there.
  init(
    control: Control,
    graph: GraphRoom,
    ledger: SessionLedger,
    hardware: HardwareRoom,
    routePorts: @escaping () -> [RoutePort],
  ) {
    self.control = control
    inForce = graph
    self.ledger = ledger
    self.hardware = hardware
    self.routePorts = routePorts
  }

  // MARK: - One session

  /// Everything about one session, read at one moment (SES-5).
  ///
  /// - Throws: `unknownSession` after its end.
  func detail(_ id: SessionID) throws(ControlError) -> SessionDetail {
    guard let session = ledger.session(id), let held = ledger.held[id] else {
      throw .unknownSession(ledger.name(of: id), known: ledger.names)
    }
    let configuration = session.configuration
    let state = ledger.state
    let strip = held.ports == nil && !held.playsFile ? nil : held.strips.first
    return SessionDetail(
      category: configuration.category,
      mode: configuration.mode,
      options: configuration.options,
      policy: configuration.policy,
      active: session.isActive,
      interrupted: session.interruption != nil,
      nowPlaying: ledger.nowPlaying == id,
      inputAvailable: state.ports.contains { $0.direction == .input },
      permission: state.permission(of: session.app),
      inputMuted: session.isInputMuted,
      outputMuted: session.isOutputMuted,
      otherAudioPlaying: state.isOtherAudioPlaying(for: id),
      secondaryAudioShouldBeSilenced: session.secondaryAudioShouldBeSilencedHint,
      preferredInput: session.preferredInput,
      route: detail(session.route),
      availableInputs: RouteSelector.availableInputs(for: configuration, ports: state.ports)
        .map { detail($0) },
      hardware: hardware(of: session),
      strip: strip,
      volume: strip.flatMap { volume(ofStrip: $0) },
      outputOverride: session.override,
      waitingRequests: session.waitingRequests.map(\.request.name),
      outputs: outputs(id, held),
    )
  }

  /// The output routes in the order of the graph, each with whether the session may be moved there (VOL-4).
  private func outputs(_ id: SessionID, _ held: HeldSession) -> [SessionOutput] {
    let choices = ledger.state.outputChoices(of: id)
    return routePorts().map(\.description).filter { $0.direction == .output }.map { port in
      let choice =
        choices.first { $0.port.uid == port.uid } ?? OutputChoice(port: port, fault: .notConnected)
      return SessionOutput(
        port: detail(choice.port),
        reason: held.placementFault ?? choice.fault?.message,
        inUse: choice.isInUse,
        chosen: choice.isChosen,
      )
    }
  }

  private func detail(_ route: Sessions.RouteDescription) -> RouteDetail {
    RouteDetail(
      inputs: route.inputs.map { detail($0) },
      outputs: route.outputs.map { detail($0) },
    )
  }

  private func detail(_ port: Sessions.PortDescription) -> PortDetail {
    PortDetail(
      uid: port.uid,
      name: port.name,
      type: port.type,
      channels: port.channelNames,
      jackPorts: port.direction == .input ? jackPorts(ofInput: port.uid) : [],
      dataSources: port.dataSources.map { source in
        DataSourceDetail(
          id: source.id,
          name: source.name,
          location: source.location,
          orientation: source.orientation,
          polarPatterns: source.polarPatterns,
          selectedPolarPattern: source.selectedPolarPattern,
        )
      },
      selectedDataSource: port.selectedDataSource,
      hasHardwareVoiceCallProcessing: port.hasHardwareVoiceCallProcessing,
    )
  }

  private func jackPorts(ofInput uid: String) -> [String] {
    guard let attachment = control.attachment else { return [] }
    guard let route = graph.route(named: uid) else {
      return attachment.connections.ports.physical(facing: .intoHost)
    }
    return attachment.connections.inputPorts(of: route)
  }

  private func hardware(of session: Session) -> SessionHardware {
    let facts = hardware.facts
    let rate = Double(facts.sampleRateHz)
    let report = ledger.state.hardwareReport(of: session.id)
    let seconds = { (frames: UInt32?) in rate > 0 ? Double(frames ?? 0) / rate : 0 }
    return SessionHardware(
      server: control.attachment?.serverName,
      sampleRateHz: rate,
      ioBufferFrames: facts.bufferFrames,
      inputLatencySeconds: seconds(longestLatency(of: session.route.inputs)),
      outputLatencySeconds: seconds(longestLatency(of: session.route.outputs)),
      inputGain: nil,
      outputVolume: volume(of: session.route),
      sampleRateReason: report?.sampleRateHz.difference.map { describe($0, ofStatus: rateReason) },
      ioBufferReason: report?.ioBufferSeconds.difference.map {
        describe($0, ofStatus: bufferReason)
      },
    )
  }

  private func longestLatency(of ports: [Sessions.PortDescription]) -> UInt32? {
    guard let attachment = control.attachment else { return nil }
    return ports.compactMap { port in
      guard let route = graph.route(named: port.uid) else {
        return attachment.latencies.captureFrames(
          of: attachment.connections.ports.physical(facing: .intoHost)
        )
      }
      return attachment.latencies.frames(of: route)
    }.max()
  }

  /// The fader of the loudest route in use, as an amplitude of at most 1 (VOL-1).
  private func volume(of route: Sessions.RouteDescription) -> Double {
    let faders = (control.mixEngine?.spec.routes ?? []).filter { fader in
      route.outputs.contains { $0.uid == fader.id }
    }
    return faders.map { FaderVolume.volume(gainDB: $0.gainDB, isMuted: $0.isMuted) }.max() ?? 0
  }

  private func volume(ofStrip id: String) -> Double? {
    let fader = control.mixEngine?.spec.strips.first { $0.id == id }
    return fader.map { FaderVolume.volume(gainDB: $0.faderDB, isMuted: $0.isMuted) }
  }

  /// Why a value is not as a session prefers it: what `status` says where the reason lies in the hardware (HW-9).
  private func describe(_ difference: HardwareReport.Difference, ofStatus reason: String?) -> String
  {
    switch difference {
    case .atNextActivation:
      "it takes effect with the next activation; 'appliesPreferencesAtOnce: true' in the graph file's 'tower', or in the "
        + "app's host settings, applies it at once"
    case .notSupported: reason ?? "the driver does not take that value"
    case .serverNotOwned: "the host does not restart another program's server"
    case .decidedBy(let other): "session '\(ledger.name(of: other))' decides (HW-4)"
    case .changedByOthers: reason ?? "another program insists on it"
    case .pending: "it is not settled yet"
    }
  }

  private var rateReason: String? { hardware.rateRefusal ?? "it is the nearest of the usual rates" }
  private var bufferReason: String? { hardware.facts.bufferReason }

  // MARK: - Preferred and actual

  /// The sample rate and the I/O buffer that a session prefers, with the actual values (HW-3).
  func hardwareValues(
    of id: SessionID
  ) -> (sampleRate: HardwareStatus.Value, ioBufferDuration: HardwareStatus.Value) {
    let report = ledger.state.hardwareReport(of: id)
    return (
      value(report?.sampleRateHz, unit: .hertz, ofStatus: rateReason),
      value(report?.ioBufferSeconds, unit: .seconds, ofStatus: bufferReason)
    )
  }

  private func value(
    _ value: HardwareReport.Value?,
    unit: HardwareStatus.Unit,
    ofStatus statusReason: String?,
  ) -> HardwareStatus.Value {
    let reason = value?.difference.map { describe($0, ofStatus: statusReason) }
    return HardwareStatus.Value(
      preferred: value?.preferred,
      actual: value?.actual,
      reason: reason,
      unit: unit,
    )
  }

  // MARK: - Events

  /// Publishes a decision with its rule.
  func publish(_ decision: Decision) {
    let sessions = decision.sessions.map { ledger.name(of: $0) }
    control.publish(
      .decision(.init(rule: decision.rule, sessions: sessions, app: decision.app)),
      decision.description,
    )
  }

  /// Publishes the state of a call (INT-8).
  func publish(_ call: CallState) {
    control.publish(.call(.init(state: call)), "call: \(call.name)")
  }

  /// Publishes a notification to a session.
  func publish(_ notification: SessionNotification, to id: SessionID) {
    publish(.init(notification) { detail($0) }, to: id)
  }

  /// Publishes the answer to a request that waited until its app was resumed (SYS-2).
  func publish(_ reply: Reply, to request: RequestID) {
    guard let id = ledger.endWait(request) else { return }
    var refusal: ControlError?
    if case .refused(let error) = reply { refusal = ControlError(error) }
    publish(.requestAnswered(request: request.rawValue, error: refusal), to: id)
  }

  private func publish(_ content: EventPayload.SessionNotice.Content, to id: SessionID) {
    let session = ledger.name(of: id)
    control.publish(
      .session(.init(session: session, app: ledger.held[id]?.app ?? "", content)),
      "session '\(session)': \(content.name)",
    )
  }
}
