// SPDX-License-Identifier: MIT

internal import Mixing

/// The fade of all routes to silence before the host closes its clients.
///
/// The engine tells when a ramp has landed, however late its command was taken. Belongs to the control thread.
struct ClosingFade {
  /// The longest wait for the cycles in which the ramps pass, in seconds of sound beyond their own length.
  static let reserveSeconds = 2.0
  /// The cycles from the landing of a ramp until its sound has left the server: the landing one itself, the one in which an
  /// asynchronous server hands it to the driver, and one for the outlet of a route with effects.
  static let heardCycles: UInt64 = 3

  /// The numbers of the fades that have not landed yet, by route.
  private var moving: [String: UInt32] = [:]

  /// Sends all routes to silence.
  ///
  /// - Parameters:
  ///   - mix: The mix.
  ///   - seconds: The length of the fade, above 0.
  mutating func begin(_ mix: inout MixControl, seconds: Double) {
    for route in mix.engine.spec.routes {
      moving[route.id] = mix.silence(route: route.id, seconds: seconds)
    }
  }

  /// Takes in the end of a ramp.
  mutating func landed(_ number: UInt32) {
    moving = moving.filter { $0.value != number }
  }

  /// Whether all ramps have landed, but for those of routes that have left or whose gain was set meanwhile.
  func isOver(in spec: MixSpec) -> Bool {
    spec.routes.allSatisfy { moving[$0.id] == nil || $0.gainDB != -.infinity }
  }

  /// The cycles from the landing until the last sound has left the server; limiters and delays hold it back.
  static func remainingCycles(of engine: MixEngine, periodFrames: Int) -> UInt64 {
    let held = engine.spec.routes.compactMap { engine.latencyFrames(ofRoute: $0.id) }.max() ?? 0
    let period = max(1, periodFrames)
    return UInt64((held + period - 1) / period) + heardCycles
  }
}
