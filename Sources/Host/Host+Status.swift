// SPDX-License-Identifier: MIT

public import ControlProtocol
internal import Glibc
internal import GraphFiles
internal import JACK
internal import Mixing
internal import Sessions

extension Host {
  /// The state of the whole host at this moment.
  public func status() -> HostStatus {
    let spec = mix?.engine.spec
    return HostStatus(
      host: HostProcessStatus(
        name: presence?.mix.name ?? configuration.graph.name,
        pid: getpid(),
        version: HostVersion.current,
        uptimeSeconds: Double(HostClock.nowNanoseconds() - startNanoseconds) * 1e-9,
        graph: configuration.graph.path,
      ),
      server: serverStatus(),
      hardware: hardwareStatus(),
      routes: configuration.graph.routes.map { routeStatus($0, in: spec) },
      strips: spec?.strips.map { stripStatus($0) } ?? [],
      sends: spec.map { sendStatuses($0) } ?? [],
      inserts: insertStatuses(),
      crossfader: spec.flatMap { crossfaderStatus($0) },
      sessions: sessionStatuses(),
      engine: engineStatus(),
      recorders: recorders.map(\.status),
      patches: patchStatuses(),
      handovers: handoverStatuses(),
    )
  }

  private func serverStatus() -> ServerStatus {
    let identity = hardware.identity
    return ServerStatus(
      name: server.name,
      pid: server.process?.pid ?? identity?.pid,
      owned: server.isOwned,
      driver: server.process?.driverName ?? identity?.driver
        ?? (identity?.kind == .pipewire ? "pipewire" : nil),
      restarts: counts.restarts,
      synchronous: server.process?.configuration.isSynchronous ?? identity?.isSynchronous,
      state: phase,
    )
  }

  private func engineStatus() -> EngineStatus {
    let statistics = presence?.mix.processStatistics
    return EngineStatus(
      cycles: counts.cyclesBefore + (statistics?.cycles ?? 0),
      xruns: counts.xruns,
      loadPercent: Double((try? presence?.mix.cpuLoadPercent) ?? 0),
      callbackMicroseconds: times.percentiles,
      lastXrun: counts.lastXrun,
    )
  }

  // MARK: - The mix

  private func routeStatus(_ route: GraphFile.Route, in spec: MixSpec?) -> RouteStatus {
    let mixed = spec?.routes.first { $0.id == route.name }
    let isOutput = route.direction == .output
    let ports = isOutput ? keeper.foundPorts(of: route.name) : inputPorts(of: route)
    return RouteStatus(
      name: route.name,
      type: portType(of: route).name,
      direction: isOutput ? .output : .input,
      ports: ports,
      available: isOutput
        ? keeper.satisfiedOwners().contains(route.name)
        : ports.count >= route.channels && !isHeld(route.name),
      gainDB: mixed?.gainDB ?? route.gainDB,
      muted: mixed?.isMuted ?? route.isMuted,
      latencyFrames: latencyFrames(of: route),
      alignment: alignment(of: route).mode,
      delayFrames: mixed?.delayFrames ?? 0,
      alignmentErrorFrames: outcomes[route.name]?.errorFrames,
      fallback: keeper.fallback(of: route.name),
      helper: helpers[route.name]?.status(hasPorts: !ports.isEmpty),
    )
  }

  /// The ports of an input route that exist.
  func inputPorts(of route: GraphFile.Route) -> [String] {
    route.ports.flatMap { selector -> [String] in
      switch ConnectionRule.Target(selector) {
      case .named(let name):
        [keeper.ports.canonicalName(of: name, facing: .intoHost)].compactMap { $0 }
      case .matching(let pattern): keeper.ports.matching(pattern, facing: .intoHost)
      case .physical, .dealt, .dealtByClient: []
      }
    }
  }

  /// The way from the host to the device (HW-6), or from the device to the host, at its longest.
  func latencyFrames(of route: GraphFile.Route) -> UInt32? {
    guard let presence else { return nil }
    if route.direction == .input {
      return inputPorts(of: route)
        .compactMap { try? presence.mix.latencyRange(ofPort: $0, .capture).maxFrames }
        .max()
    }
    let ports = presence.mixPorts.routes.first { $0.id == route.name }?.ports ?? []
    return ports.compactMap { try? presence.mix.latencyRange(of: $0, .playback).maxFrames }.max()
  }

  private func stripStatus(_ strip: StripSpec) -> StripStatus {
    StripStatus(
      id: strip.id,
      source: configuration.graph.source(named: strip.id).map(Self.describe) ?? "",
      gainDB: strip.faderDB,
      muted: strip.isMuted,
      solo: strip.isSoloed,
      cue: strip.isCued,
      pan: strip.pan ?? 0,
      crossfaderSide: CrossfaderSide(rawValue: strip.crossfaderSide.rawValue),
    )
  }

  private static func describe(_ source: GraphFile.Source) -> String {
    switch source.kind {
    case .file(let file): "file \(file.path)"
    case .tone(let tone): "tone \(tone.wave.rawValue) \(tone.frequencyHz) Hz"
    case .inputRoute(let route): "input route \(route)"
    case .systemInput: "system input"
    case .node(let use): "node \(use.name)"
    case .ports(let selectors): "ports " + selectors.map(\.description).joined(separator: " ")
    }
  }

  private func sendStatuses(_ spec: MixSpec) -> [SendStatus] {
    spec.sends.map { send in
      let cells = (send.matrix ?? []).enumerated().flatMap { row, gains in
        gains.enumerated().filter { $0.element != 0 }.map { column, gain in
          SendStatus.Cell(
            stripChannel: column + 1,
            routeChannel: row + 1,
            gainDB: Decibels.decibels(fromLinear: abs(gain)),
          )
        }
      }
      return SendStatus(
        strip: send.strip,
        route: send.route,
        gainDB: send.gainDB,
        muted: send.isMuted,
        cells: cells,
      )
    }
  }

  private func crossfaderStatus(_ spec: MixSpec) -> CrossfaderStatus? {
    guard spec.strips.contains(where: { $0.crossfaderSide != .none }) else { return nil }
    return CrossfaderStatus(
      position: spec.crossfader.position,
      curve: spec.crossfader.curve.rawValue,
    )
  }
}
