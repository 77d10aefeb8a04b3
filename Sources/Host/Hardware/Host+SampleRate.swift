// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import JACK
internal import Mixing
internal import Sessions

extension Host {
  /// How long the routes take to fall silent before the server is restarted.
  private static let fadeSeconds = 0.01

  /// Has the server run at another rate, which takes a restart (HW-2).
  ///
  /// Wanted, and so no loss to the sessions: they stay as they are, and are told of a route in
  /// another configuration (RTE-2). Clients of the old server are gone, as after any restart
  /// (RST-2).
  func restart(at sampleRateHz: Int) async {
    let owner = tower.tower.state.hardware.target?.sampleRateOwner
    let isOwnWish = owner.flatMap { tower.held[$0]?.owner } == .host
    let reason = owner.map { "as session '\(name(of: $0))' wishes (HW-4)" } ?? "as preferred"
    publish(
      .hardwareChanged,
      "the JACK server \"\(server.name)\" restarts at \(sampleRateHz) Hz, \(reason)",
      details: ["sampleRateHz": .integer(Int64(sampleRateHz))],
    )
    await fadeRoutesOut()
    guard phase == .running else { return }
    wish.sampleRateHz = sampleRateHz
    await attachAnew()
    guard phase == .running else { return }
    rateRefusal = nil
    if hardware.sampleRateHz != sampleRateHz {
      refusedRatesHz.insert(sampleRateHz)
      rateRefusal = hardware.sampleRateReason
    } else if !isOwnWish {
      hardware.sampleRateReason = reason
    }
    tellHardware(byOthers: false)
  }

  /// Leaves the server and attaches again, with all sessions as they are.
  func attachAnew() async {
    leave(for: .starting)
    endCaptures()
    presence?.close()
    presence = nil
    restoreRoutes()
    do throws(HostError) {
      try await attach(keepingSessions: true)
      counts.restarts += 1
    } catch {
      guard phase == .starting else { return }
      // Lost after all.
      phase = .lost
      serverIsLost("the JACK server \"\(server.name)\" did not come back: \(error)")
    }
  }

  private func fadeRoutesOut() async {
    guard let mix else { return }
    silencedRoutes = mix.engine.spec.routes.map { ($0.id, $0.gainDB) }
    await fadeOut(seconds: Self.fadeSeconds)
  }

  /// Gives the routes their gains back, which nobody hears before the next attachment.
  private func restoreRoutes() {
    for (route, gainDB) in silencedRoutes {
      // What somebody has set meanwhile stays.
      guard let now = mix?.engine.spec.routes.first(where: { $0.id == route }),
        now.gainDB == -.infinity
      else { continue }
      try? mix?.engine.setRouteGain(route: route, decibels: gainDB, fade: .seconds(0))
    }
    silencedRoutes = []
    // The silence was nobody's wish.
    keepState()
  }
}
