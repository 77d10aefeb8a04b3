// SPDX-License-Identifier: MIT

import Synchronization

/// The gain from a channel of a strip to a channel of a route.
///
/// A plain value: [any-thread].
public struct HeardGain: Sendable, Equatable {
  /// The strip's id.
  public var strip: String
  /// The strip's channel, from 0.
  public var input: Int
  /// The route's id.
  public var route: String
  /// The route's channel, from 0.
  public var output: Int
  /// The linear gain, without the route's limiter; negative where the polarity is turned.
  public var linear: Float
}

extension MixEngine {
  /// The gains at which the strips are heard now, or the lowest ones that they can have while a ramp is on its way.
  ///
  /// Each is the product of all that acts on the signal: fader, mute, solo, gate, duck, crossfader, pan, send and route.
  ///
  /// - Returns: The gains that are not 0, at most one for two channels.
  ///
  /// [control-thread]
  public func heardGains() -> [HeardGain] {
    control.withLock { $0.heardGains(atNanoseconds: RampBlock.nowNanoseconds()) }
  }

  /// Has `body` called whenever gains change, on the thread of the change; it must not call the engine.
  ///
  /// [control-thread]
  public func whenChanged(_ body: @escaping @Sendable () -> Void) {
    control.withLock { $0.onChange = body }
  }
}

extension EngineControl {
  fileprivate func heardGains(atNanoseconds now: UInt64) -> [HeardGain] {
    let stripNames = Dictionary(
      uniqueKeysWithValues: strips.map { ($0.value.ramps.groupID, $0.key) }
    )
    let routeNames = Dictionary(
      uniqueKeysWithValues: routes.map { ($0.value.ramps.groupID, $0.key) }
    )
    var sums: [Cell: Float] = [:]
    for (key, send) in sends {
      let coefficient = send.ramps.smallest(0, atNanoseconds: now)
      guard coefficient != 0, let strip = stripNames[key.strip], let route = routeNames[key.route],
        let stripBlock = strips[strip], let routeBlock = routes[route]
      else { continue }
      let cell = Cell(strip: strip, input: key.input, route: route, output: key.output)
      // A cue beside a send adds to it.
      sums[cell, default: 0] +=
        coefficient * stripBlock.gain(at: key.tap, atNanoseconds: now)
        * routeBlock.gain(atNanoseconds: now)
    }
    return sums.filter { $0.value != 0 }.map { cell, gain in
      HeardGain(
        strip: cell.strip,
        input: cell.input,
        route: cell.route,
        output: cell.output,
        linear: gain,
      )
    }
  }

  private struct Cell: Hashable {
    var strip: String
    var input: Int
    var route: String
    var output: Int
  }
}

extension StripBlock {
  /// The product of the factors that act on a tap; see ``StripState/Tap``.
  fileprivate func gain(at tap: StripState.Tap, atNanoseconds now: UInt64) -> Float {
    let factors: [StripState.Factor] =
      switch tap {
      case .postFader: StripState.Factor.allCases
      case .postFaderOnCueRoute: [.gate, .duck, .mute, .fader, .crossfade]
      case .preFader: [.gate, .duck, .mute, .solo]
      case .preFaderOnCueRoute: [.gate, .duck, .mute]
      case .cue: [.gate, .duck]
      }
    return factors.reduce(1) { $0 * ramps.smallest($1.rawValue, atNanoseconds: now) }
  }
}

extension RouteBlock {
  /// The product of the route's factors.
  fileprivate func gain(atNanoseconds now: UInt64) -> Float {
    ramps.smallest(RouteState.Factor.gain.rawValue, atNanoseconds: now)
      * ramps.smallest(RouteState.Factor.mute.rawValue, atNanoseconds: now)
  }
}
