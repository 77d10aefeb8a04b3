// SPDX-License-Identifier: MIT

import Synchronization

extension MixEngine {
  /// Moves a strip's fader, −∞…24 dB.
  ///
  /// Here and below, a `reportID` comes back in ``MixEvent/rampFinished(reportID:frame:)`` at the end
  /// of the ramp, unless another ramp replaces it; 0 requests no report. All throw ``MixError`` for
  /// unknown names and values that are not allowed.
  ///
  /// [control-thread]
  public func setFader(
    strip: String,
    decibels: Double,
    fade: Fade = .standard,
    reportID: UInt32 = 0,
  ) throws(MixError) {
    try MixSpec.checkGain(decibels, "strip '\(strip)'", "fader")
    try change(strip, .fader, to: Decibels.linear(fromDB: decibels), fade, reportID) {
      $0.faderDB = decibels
    }
  }

  /// Mutes a strip, or lets it be heard.
  ///
  /// [control-thread]
  public func setMute(strip: String, isMuted: Bool, fade: Fade = .standard) throws(MixError) {
    try change(strip, StripState.Factor.mute, to: isMuted ? 0 : 1, fade, 0) { $0.isMuted = isMuted }
  }

  /// Closes or opens a strip's gate; see ``StripSpec/isGated``.
  ///
  /// The end is reported by ``MixEvent/gateClosed(strip:firstSilentFrame:reportID:)`` or
  /// ``MixEvent/gateOpened(strip:frame:reportID:)``, at once where the gate stands so already.
  ///
  /// [control-thread]
  public func setGate(
    strip: String,
    isOpen: Bool,
    fade: Fade = .standard,
    reportID: UInt32 = 0,
  ) throws(MixError) {
    try change(strip, .gate, to: isOpen ? 1 : 0, fade, reportID) { $0.isGated = !isOpen }
  }

  /// Ducks a strip to `decibels`, or gives it back with 0; see ``StripSpec/duckDB``.
  ///
  /// [control-thread]
  public func setDuck(
    strip: String,
    decibels: Double,
    fade: Fade = .standard,
    reportID: UInt32 = 0,
  ) throws(MixError) {
    try MixSpec.checkGain(decibels, "strip '\(strip)'", "duck")
    try change(strip, .duck, to: Decibels.linear(fromDB: decibels), fade, reportID) {
      $0.duckDB = decibels
    }
  }

  /// Sets a route's gain, −∞…24 dB.
  ///
  /// [control-thread]
  public func setRouteGain(
    route: String,
    decibels: Double,
    fade: Fade = .standard,
    reportID: UInt32 = 0,
  ) throws(MixError) {
    try MixSpec.checkGain(decibels, "route '\(route)'", "gain")
    try change(route, .gain, to: Decibels.linear(fromDB: decibels), fade, reportID) {
      $0.gainDB = decibels
    }
  }

  /// Mutes a route, or lets it be heard.
  ///
  /// [control-thread]
  public func setMute(route: String, isMuted: Bool, fade: Fade = .standard) throws(MixError) {
    try change(route, RouteState.Factor.mute, to: isMuted ? 0 : 1, fade, 0) { $0.isMuted = isMuted }
  }

  // MARK: One ramp

  /// Changes one factor of a strip, by a single command.
  private func change(
    _ strip: String,
    _ factor: StripState.Factor,
    to value: Float,
    _ fade: Fade,
    _ reportID: UInt32,
    _ edit: (inout StripSpec) -> Void,
  ) throws(MixError) {
    try withStrip(strip) { control, place in
      edit(&control.spec.strips[place])
      guard let block = control.strips[strip] else { return }
      let time = control.time(fade)
      control.enqueue([
        block.ramps.retarget(factor.rawValue, to: value, by: time, reportID: reportID)
      ])
      control.flush()
    }
  }

  /// Changes one factor of a route, by a single command, and with it what is heard of the route on its fallback.
  private func change(
    _ route: String,
    _ factor: RouteState.Factor,
    to value: Float,
    _ fade: Fade,
    _ reportID: UInt32,
    _ edit: (inout RouteSpec) -> Void,
  ) throws(MixError) {
    try withRoute(route) { control, place in
      edit(&control.spec.routes[place])
      guard let block = control.routes[route] else { return }
      let time = control.time(fade)
      control.enqueue([
        block.ramps.retarget(factor.rawValue, to: value, by: time, reportID: reportID)
      ])
      if control.spec.routes[place].fallback == nil {
        control.flush()
      } else {
        control.reconcile(to: control.spec, by: time, tag: control.tag)
      }
    }
  }

  // MARK: Names

  /// Runs `body` with the index of a strip in the spec. [control-thread]
  func withStrip(_ id: String, _ body: (EngineControl, Int) -> Void) throws(MixError) {
    let isKnown = control.withLock { control in
      guard let place = control.spec.strips.firstIndex(where: { $0.id == id }) else { return false }
      body(control, place)
      return true
    }
    guard isKnown else {
      throw MixError(.unknownStrip, "strip '\(id)': there is none of that name in the mix")
    }
  }

  /// Runs `body` with the index of a route in the spec. [control-thread]
  func withRoute(_ id: String, _ body: (EngineControl, Int) -> Void) throws(MixError) {
    let isKnown = control.withLock { control in
      guard let place = control.spec.routes.firstIndex(where: { $0.id == id }) else { return false }
      body(control, place)
      return true
    }
    guard isKnown else {
      throw MixError(.unknownRoute, "route '\(id)': there is none of that name in the mix")
    }
  }
}
