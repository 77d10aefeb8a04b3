// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import JACK
internal import Mixing
internal import Sessions

extension Host {
  /// Changes a session's choice of ports, its mutes and what it wants to be told.
  func adjustSession(_ params: AdjustSession.Params) throws(ControlError) -> Applied {
    let id = try session(named: params.session)
    let waiting: [UInt64]
    do throws(SessionError) {
      waiting = try ask(params.requests, of: id)
    } catch {
      throw ControlError(error)
    }
    if let isRunning = params.ioRunning {
      tower.report(id, isRunning: isRunning)
      tellRunning(id)
    }
    return Applied(frame: frame(), waiting: waiting)
  }

  /// Gives a session another strip, or takes its strip away.
  func setSessionPorts(
    _ params: SetSessionPorts.Params
  ) throws(ControlError) -> SetSessionPorts.Result {
    let id = try session(named: params.session)
    guard let held = tower.held[id], case .connection = held.owner else {
      throw ControlError(
        .refused,
        place: "session",
        fault: "'\(params.session)' is a session of the graph",
        allowed: "a session that was opened with openSession",
      )
    }
    var ports = try SessionPorts(checking: params.ports, channels: params.channels)
    ports?.isDealtByClient = true
    // Asked for again, as after the loss of the server, it stays as it is: what sounds has no gap.
    if let ports, ports == held.ports, let strip = held.strips.first {
      return SetSessionPorts.Result(strip: strip)
    }
    if held.ports != nil { for strip in held.strips { removeStrip(strip) } }
    tower.setPorts(nil, strips: [], of: id)
    if let ports {
      var renewed = held
      renewed.ports = ports
      renewed.strips = [freeStripName(held.name, channels: ports.channels)]
      try addStrip(for: renewed, gainDB: gainDB(of: renewed))
      tower.setPorts(ports, strips: renewed.strips, of: id)
      restoreStrip(of: id)
    }
    connectMissing()
    enforceStrips()
    tellRunning()
    return SetSessionPorts.Result(strip: tower.held[id]?.strips.first)
  }

  /// Hands a remote-control command on, or keeps it (VOL-2, INT-4).
  func remoteCommand(_ params: SendRemoteCommand.Params) throws(ControlError) -> Applied {
    let id = try params.session.map { name throws(ControlError) in
      // Of several sessions of a program the newest counts.
      if let newest = tower.sessions(of: name).last { return newest }
      return try session(named: name)
    }
    tell(.remoteCommand(command: RemoteCommand(params), session: id))
    return Applied(frame: frame())
  }

  /// A new strip is silent and goes nowhere: it gets what the tower has decided before.
  private func restoreStrip(of id: SessionID) {
    guard let session = tower.tower.state.session(id) else { return }
    carryOut([
      .setRoute(session: id, route: session.route),
      .setDuck(session: id, gainDB: session.duckGainDB, rampMilliseconds: 0),
      .setGate(
        session: id,
        isOpen: session.isGateOpen,
        fadeMilliseconds: tower.tower.state.configuration.fadeMilliseconds,
      ),
    ])
  }

  private func freeStripName(_ wanted: String, channels: Int) -> String {
    let isFree = { (name: String) in
      !(self.mix?.engine.spec.strips.contains { $0.id == name } ?? false)
        && !(self.presence?.isInTheWay(of: name, channels: channels) ?? false)
    }
    if isFree(wanted) { return wanted }
    return freeSessionName("\(wanted)-strip", channels: channels)
  }
}

extension AdjustSession.Params {
  /// What is asked of the tower, one after the other.
  fileprivate var requests: [SessionRequest] {
    var requests: [SessionRequest] = []
    if let overrideOutput {
      requests.append(.overrideOutput(port: overrideOutput == "speaker" ? .speaker : .none))
    }
    if let preferredInput {
      requests.append(
        .setPreferredInput(portUID: preferredInput.isEmpty ? nil : preferredInput)
      )
    }
    if let port {
      requests.append(
        .setDataSource(portUID: port, dataSource: dataSource, polarPattern: polarPattern)
      )
    }
    if let inputMuted { requests.append(.setInputMuted(isMuted: inputMuted)) }
    if let outputMuted { requests.append(.setOutputMuted(isMuted: outputMuted)) }
    if let takesRemoteCommands {
      requests.append(.setTakesRemoteCommands(isOn: takesRemoteCommands))
    }
    if let isOn = prefersInterruptionOnRouteDisconnect {
      requests.append(.setPrefersInterruptionOnRouteDisconnect(isOn: isOn))
    }
    if let isOn = prefersNoInterruptionsFromSystemAlerts {
      requests.append(.setPrefersNoInterruptionsFromSystemAlerts(isOn: isOn))
    }
    return requests
  }
}

extension RemoteCommand {
  fileprivate init(_ params: SendRemoteCommand.Params) {
    self =
      switch params.command {
      case "play": .play
      case "pause": .pause
      case "stop": .stop
      case "next": .next
      case "previous": .previous
      case "seek": .seek(seconds: params.seconds ?? 0)
      case "skipForward": .skipForward(seconds: params.seconds ?? 0)
      case "skipBackward": .skipBackward(seconds: params.seconds ?? 0)
      case "rate": .rate(factor: params.rate ?? 1)
      case "record": .record
      default: .toggle
      }
  }
}
