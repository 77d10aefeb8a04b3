// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Foundation
internal import GraphFiles
internal import JACK
internal import Mixing
internal import Sessions

extension Host {
  /// Everything about one session, read at one moment (SES-5).
  func sessionDetail(named name: String) throws(ControlError) -> SessionDetail {
    let id = try session(named: name)
    guard let session = tower.tower.state.session(id), let held = tower.held[id] else {
      throw .unknownSession(name, known: tower.names)
    }
    let configuration = session.configuration
    let state = tower.tower.state
    return SessionDetail(
      category: configuration.category.name,
      mode: configuration.mode.name,
      options: configuration.options.names,
      policy: "\(configuration.policy)",
      active: session.isActive,
      interrupted: session.interruption != nil,
      nowPlaying: state.nowPlaying == id,
      inputAvailable: state.ports.contains { $0.direction == .input },
      permission: "\(state.permission(of: session.app))",
      inputMuted: session.isInputMuted,
      outputMuted: session.isOutputMuted,
      otherAudioPlaying: isOtherAudioPlaying(beside: id),
      secondaryAudioShouldBeSilenced: session.secondaryAudioShouldBeSilencedHint,
      preferredInput: session.preferredInput,
      route: routeDetail(session.route),
      availableInputs: RouteSelector.availableInputs(for: configuration, ports: state.ports)
        .map { portDetail($0) },
      hardware: sessionHardware(session),
      strip: held.ports == nil ? nil : held.strips.first,
      volume: held.ports == nil ? nil : held.strips.first.flatMap { volume(ofStrip: $0) },
    )
  }

  /// Whether a session beside this one sounds; a host without sources of its own never does.
  private func isOtherAudioPlaying(beside id: SessionID) -> Bool {
    tower.tower.state.sessions.contains { other in
      other.id != id && other.isSounding && tower.held[other.id]?.strips.isEmpty == false
    }
  }

  /// A route as it travels.
  func routeDetail(_ route: Sessions.RouteDescription) -> RouteDetail {
    RouteDetail(
      inputs: route.inputs.map { portDetail($0) },
      outputs: route.outputs.map { portDetail($0) },
    )
  }

  private func portDetail(_ port: Sessions.PortDescription) -> PortDetail {
    PortDetail(
      uid: port.uid,
      name: port.name,
      type: port.type.rawValue,
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
    guard let route = configuration.graph.route(named: uid) else {
      return keeper.ports.physical(facing: .intoHost)
    }
    return inputPorts(of: route)
  }

  // MARK: - Hardware

  private func sessionHardware(_ session: Session) -> SessionHardware {
    let rate = Double(hardware.sampleRateHz)
    let report = tower.tower.state.hardwareReport(of: session.id)
    let seconds = { (frames: UInt32?) in rate > 0 ? Double(frames ?? 0) / rate : 0 }
    return SessionHardware(
      server: phase == .running ? presence?.mix.server : nil,
      sampleRateHz: rate,
      ioBufferFrames: hardware.bufferFrames,
      inputLatencySeconds: seconds(longestLatency(of: session.route.inputs)),
      outputLatencySeconds: seconds(longestLatency(of: session.route.outputs)),
      inputGain: nil,
      outputVolume: volume(of: session.route),
      sampleRateReason: report?.sampleRateHz.difference.map { describe($0) },
      ioBufferReason: report?.ioBufferSeconds.difference.map { describe($0) },
    )
  }

  private func longestLatency(of ports: [Sessions.PortDescription]) -> UInt32? {
    ports.compactMap { port in
      guard let route = configuration.graph.route(named: port.uid) else {
        return keeper.ports.physical(facing: .intoHost)
          .compactMap { try? presence?.mix.latencyRange(ofPort: $0, .capture).maxFrames }.max()
      }
      return latencyFrames(of: route)
    }.max()
  }

  /// The fader of the loudest route in use, as an amplitude of at most 1 (VOL-1).
  private func volume(of route: Sessions.RouteDescription) -> Double {
    let faders = (mix?.engine.spec.routes ?? []).filter { fader in
      route.outputs.contains { $0.uid == fader.id }
    }
    return faders.map { amplitude($0.gainDB, isMuted: $0.isMuted) }.max() ?? 0
  }

  private func volume(ofStrip id: String) -> Double? {
    let fader = mix?.engine.spec.strips.first { $0.id == id }
    return fader.map { amplitude($0.faderDB, isMuted: $0.isMuted) }
  }

  private func amplitude(_ gainDB: Double, isMuted: Bool) -> Double {
    isMuted ? 0 : min(1, pow(10, gainDB / 20))
  }

  private func describe(_ difference: HardwareReport.Difference) -> String {
    switch difference {
    case .atNextActivation: "takes effect with the next activation"
    case .notSupported: "not supported by the driver; this is the nearest"
    case .serverNotOwned: "the server is not the host's own"
    case .decidedBy(let other): "another session decides it: \(name(of: other))"
    case .changedByOthers: "another JACK client insists on this value"
    case .pending: "the server has not confirmed it yet"
    }
  }
}
