// SPDX-License-Identifier: MIT

extension MixEngine {
  /// Moves a strip's fader, −∞…24 dB.
  ///
  /// Here and below, a `reportID` comes back in ``MixEvent/rampFinished(reportID:frame:)`` when the
  /// ramp has landed, unless another overtakes it; 0 is none. All throw ``MixError`` for names that
  /// are not there and values that are not allowed.
  ///
  /// [control-thread]
  public func setFader(
    strip: String,
    decibels: Double,
    fade: Fade = .standard,
    reportID: UInt32 = 0,
  ) throws(MixError) { fatalError("unwritten") }

  /// Mutes a strip, or lets it be heard.
  ///
  /// [control-thread]
  public func setMute(strip: String, isMuted: Bool, fade: Fade = .standard) throws(MixError) {
    fatalError("unwritten")
  }

  /// Solos a strip, or no longer.
  ///
  /// [control-thread]
  public func setSolo(strip: String, isSoloed: Bool, fade: Fade = .standard) throws(MixError) {
    fatalError("unwritten")
  }

  /// Puts a strip on the cue routes, or takes it off.
  ///
  /// [control-thread]
  public func setCue(strip: String, isCued: Bool, fade: Fade = .standard) throws(MixError) {
    fatalError("unwritten")
  }

  /// Pans a strip; see ``StripSpec/pan``.
  ///
  /// [control-thread]
  public func setPan(strip: String, pan: Double?, fade: Fade = .standard) throws(MixError) {
    fatalError("unwritten")
  }

  /// Closes or opens a strip's gate; see ``StripSpec/isGated``.
  ///
  /// The end is told by ``MixEvent/gateClosed(strip:firstSilentFrame:reportID:)`` or
  /// ``MixEvent/gateOpened(strip:frame:reportID:)``, at once where the gate stands so already.
  ///
  /// [control-thread]
  public func setGate(
    strip: String,
    isOpen: Bool,
    fade: Fade = .standard,
    reportID: UInt32 = 0,
  ) throws(MixError) { fatalError("unwritten") }

  /// Ducks a strip to `decibels`, or gives it back with 0; see ``StripSpec/duckDB``.
  ///
  /// [control-thread]
  public func setDuck(
    strip: String,
    decibels: Double,
    fade: Fade = .standard,
    reportID: UInt32 = 0,
  ) throws(MixError) { fatalError("unwritten") }

  /// Sets the gain of a send, and makes the send where there is none.
  ///
  /// [control-thread]
  public func setSend(
    strip: String,
    route: String,
    decibels: Double,
    fade: Fade = .standard,
    reportID: UInt32 = 0,
  ) throws(MixError) { fatalError("unwritten") }

  /// Moves the crossfader, −1…1.
  ///
  /// [control-thread]
  public func setCrossfader(position: Double, fade: Fade = .standard) throws(MixError) {
    fatalError("unwritten")
  }

  /// Sets a route's gain, −∞…24 dB.
  ///
  /// [control-thread]
  public func setRouteGain(
    route: String,
    decibels: Double,
    fade: Fade = .standard,
    reportID: UInt32 = 0,
  ) throws(MixError) { fatalError("unwritten") }

  /// Mutes a route, or lets it be heard.
  ///
  /// [control-thread]
  public func setMute(route: String, isMuted: Bool, fade: Fade = .standard) throws(MixError) {
    fatalError("unwritten")
  }

  /// Sets a route's limiter, or takes it away with nil.
  ///
  /// [control-thread]
  public func setLimiter(route: String, limiter: LimiterSpec?) throws(MixError) {
    fatalError("unwritten")
  }
}
