// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Foundation

extension SessionController {
  /// Moves the faders of the session's output routes, so that the loudest has this volume (VOL-4).
  ///
  /// Faders of several routes keep their distances. A muted route is heard again.
  ///
  /// - Parameter volume: An amplitude, 0 to 1.
  /// - Throws: `mediaServicesFailed` if no host answers.
  func setOutputVolume(_ volume: Double) throws {
    try change {
      let connection = try connected(startingHost: false)
      let uids = Set((current.detail?.route.outputs ?? []).map(\.uid))
      let status = try read(connection, GetStatus.self, NoParams())
      let routes = status.routes.filter { $0.direction == .output && uids.contains($0.name) }
      let wanted = FaderVolume.gainDB(ofVolume: volume)
      let loudest = routes.filter { !$0.muted }.map(\.gainDB).max() ?? -.infinity
      for route in routes {
        let isShifted = loudest.isFinite && wanted.isFinite
        let gainDB = isShifted ? min(24, route.gainDB + wanted - loudest) : wanted
        let target = MixTarget.route(route.name)
        try ask(connection, SetGain.self, .init(target: target, gainDB: gainDB))
        if route.muted, !isShifted, volume > 0 {
          try ask(connection, SetMute.self, .init(target: target, muted: false))
        }
      }
    }
  }

  /// Moves the app to an output, because its user has picked it; nil lets the rules decide again (VOL-4).
  func chooseOutput(_ uid: String?) throws {
    try change {
      let connection = try connected(startingHost: false)
      let params = ChooseRoute.Params(session: connection.session, route: uid)
      try ask(connection, ChooseRoute.self, params)
    }
  }
}
