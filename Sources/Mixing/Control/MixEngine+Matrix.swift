// SPDX-License-Identifier: MIT

import Synchronization

extension MixEngine {
  /// Sets the gain of a send, which is made if it does not exist.
  ///
  /// [control-thread]
  public func setSend(
    strip: String,
    route: String,
    decibels: Double,
    fade: Fade = .standard,
    reportID: UInt32 = 0,
  ) throws(MixError) {
    try MixSpec.checkGain(decibels, "send from '\(strip)' to '\(route)'", "gain")
    try withRoute(route) { _, _ in }
    try withStrip(strip) { control, _ in
      var spec = control.spec
      let place = spec.sends.firstIndex { $0.strip == strip && $0.route == route }
      if let place { spec.sends[place].gainDB = decibels }
      let send =
        place.map { spec.sends[$0] }
        ?? SendSpec(strip: strip, route: route, gainDB: decibels)
      if place == nil { spec.sends.append(send) }
      control.reconcile(
        to: spec,
        by: control.time(fade),
        tag: control.tag,
        reporting: reportID == 0 ? nil : (send, reportID),
      )
    }
  }

  /// Solos a strip, or ends its solo.
  ///
  /// [control-thread]
  public func setSolo(strip: String, isSoloed: Bool, fade: Fade = .standard) throws(MixError) {
    try edit(strip, fade) { $0.isSoloed = isSoloed }
  }

  /// Puts a strip on the cue routes, or takes it off.
  ///
  /// [control-thread]
  public func setCue(strip: String, isCued: Bool, fade: Fade = .standard) throws(MixError) {
    try edit(strip, fade) { $0.isCued = isCued }
  }

  /// Pans a strip; see ``StripSpec/pan``.
  ///
  /// [control-thread]
  public func setPan(strip: String, pan: Double?, fade: Fade = .standard) throws(MixError) {
    if let pan { try MixSpec.check(pan, in: -1...1, "strip '\(strip)'", "pan", "") }
    try edit(strip, fade) { $0.pan = pan }
  }

  /// Moves the crossfader, −1…1.
  ///
  /// [control-thread]
  public func setCrossfader(position: Double, fade: Fade = .standard) throws(MixError) {
    try MixSpec.check(position, in: -1...1, "crossfader", "position", "")
    control.withLock { control in
      control.spec.crossfader.position = position
      control.areCrossfaderCommandsWaiting = true
      let time = control.time(fade)
      var commands: [Command] = []
      for strip in control.spec.strips where strip.crossfaderSide != .none {
        let gain = control.spec.crossfader.gainLinear(side: strip.crossfaderSide)
        guard let block = control.strips[strip.id] else { continue }
        commands.append(
          block.ramps.retarget(StripState.Factor.crossfade.rawValue, to: gain, by: time)
        )
      }
      control.enqueue(commands)
      control.flush()
    }
  }

  /// Sets a route's limiter, or takes it away with nil.
  ///
  /// [control-thread]
  public func setLimiter(route: String, limiter: LimiterSpec?) throws(MixError) {
    if let limiter { try MixSpec.checkLimiter(limiter, "route '\(route)'") }
    try withRoute(route) { control, place in
      var spec = control.spec
      spec.routes[place].limiter = limiter
      control.reconcile(to: spec, by: control.time(.standard), tag: control.tag)
    }
  }

  /// Changes a strip where other strips or the plan may have to follow, as with solo.
  private func edit(
    _ strip: String,
    _ fade: Fade,
    _ change: (inout StripSpec) -> Void,
  ) throws(MixError) {
    try withStrip(strip) { control, place in
      var spec = control.spec
      change(&spec.strips[place])
      control.reconcile(to: spec, by: control.time(fade), tag: control.tag)
    }
  }
}
