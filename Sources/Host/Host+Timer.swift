// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import Mixing
internal import Realtime

extension Host {
  /// How often levels are read while nobody watches.
  private static let silenceIntervalNanoseconds: UInt64 = 1_000_000_000

  /// How often the host looks after the engine: seldom while nobody watches, because each look costs.
  private var tick: Duration {
    let isWatched = metersWantedNanoseconds.map { $0 < 100_000_000 } ?? false
    return .milliseconds(isWatched ? 20 : 50)
  }

  /// Looks after the engine until the host ends.
  func runTimer() async {
    while !Task.isCancelled {
      try? await Task.sleep(for: tick)
      guard phase == .running else { continue }
      watchClients()
      times.collect()
      collect()
      gates?.collect()
      settleConnections()
      superviseHelpers()
      watchDevices()
      reviewInputGates()
      catchUp()
      settleLostLinks()
      restartNodes()
      endLeavingNodes()
      retryLateNodes()
      watchPausedPlayers()
      readMeters()
      keepPositions()
    }
  }

  private func collect() {
    guard let events = mix?.engine.collect() else { return }
    for event in events {
      switch event {
      case .rampFinished(let number, let frame):
        guard let target = mix?.finishFade(number) else { continue }
        publish(
          .fadeFinished,
          "the fade of \(Self.describe(target)) has ended",
          frame: frame,
          details: details(ofFade: number, of: target),
        )
      case .gateClosed(let strip, let firstSilentFrame, _):
        gateClosed(strip: strip, firstSilentFrame: firstSilentFrame)
      case .planAdopted(let tag, _):
        presence?.adopted(tag: tag)
      case .gateOpened:
        break
      }
    }
  }

  private static func describe(_ target: MixTarget) -> String {
    switch target {
    case .strip(let strip): "strip '\(strip)'"
    case .route(let route): "route '\(route)'"
    case .send(let strip, let route): "the send from '\(strip)' to '\(route)'"
    }
  }

  private func details(ofFade number: UInt32, of target: MixTarget) -> [String: JSONValue] {
    var details: [String: JSONValue] = ["fade": .integer(Int64(number))]
    details["strip"] = target.strip.map { .string($0) }
    details["route"] = target.route.map { .string($0) }
    if let gainDB = try? mix?.gainDB(of: target) { details["gainDB"] = .number(gainDB) }
    return details
  }

  private func settleConnections() {
    for pair in keeper.settle(nowNanoseconds: HostClock.nowNanoseconds()) {
      publish(
        .mixChanged,
        "a user has disconnected \(pair.source) from \(pair.destination); the host leaves it so",
        details: ["source": .string(pair.source), "destination": .string(pair.destination)],
      )
    }
    keepPatches()
  }

  private func readMeters() {
    let now = HostClock.nowNanoseconds()
    let interval = metersWantedNanoseconds ?? Self.silenceIntervalNanoseconds
    guard now &- lastMetersNanoseconds >= interval, let mix else { return }
    lastMetersNanoseconds = now
    let levels = mix.engine.meters()
    tellSilence(levels.strips)
    guard metersWantedNanoseconds != nil else { return }
    let meters = Meters(
      time: HostClock.stamp(frame: nil),
      strips: levels.strips.map { Self.reading($0) },
      routes: levels.routes.map { Self.reading($0) },
    )
    control?.publish(meters)
    if configuration.metersIntervalNanoseconds != nil { continuation.yield(.meters(meters)) }
  }

  private static func reading(_ entry: MixMeters.Entry) -> ControlProtocol.MeterReading {
    ControlProtocol.MeterReading(
      id: entry.id,
      peak: entry.channels.map(\.peakLinear),
      rms: entry.channels.map(\.rmsLinear),
    )
  }
}
