// SPDX-License-Identifier: MIT

extension Decision: CustomStringConvertible {
  /// The decision in a sentence, without the rule.
  public var sentence: String {
    let who = session.map { "session \($0) (\(app ?? "?"))" } ?? app ?? "the tower"
    switch kind {
    case .opened: return "\(who) begins"
    case .closed(let cause): return "\(who) ended: \(cause.rawValue)"
    case .activated(let isImplicit):
      return "\(who) is active" + (isImplicit ? ", as its audio started" : "")
    case .deactivated(let notifies):
      return "\(who) is inactive by its own wish; others "
        + (notifies ? "may resume" : "are not asked to resume")
    case .interrupted(let interrupter): return "\(who) is interrupted by \(interrupter.phrase)"
    case .interruptionEnded(let shouldResume):
      return "the interruption of \(who) is over; it "
        + (shouldResume ? "should resume" : "should not resume by itself")
    case .resumed: return "\(who) goes on after the interruption"
    case .staysInactive: return "\(who) stays inactive after the interruption"
    case .ducked(let other):
      return "\(who) is lowered" + (other.map { " by session \($0)" } ?? "")
    case .restored: return "\(who) is at its full level again"
    case .gateOpened: return "\(who) is heard"
    case .gateClosed(let cause): return "\(who) is silent: \(cause.phrase)"
    case .captureOpened: return "\(who) hears its inputs"
    case .captureClosed(let cause): return "\(who) hears silence: \(cause.phrase)"
    case .configured(let configuration): return "\(who) is now \(configuration.phrase)"
    case .routed(let reason): return "\(who) has a new route: \(reason)"
    case .pausedByUnplug: return "\(who) is paused, as its output went away"
    case .unpaused: return "\(who) plays again"
    case .queued: return "a request of \(who) waits for its return to the foreground"
    case .refused(let error): return "\(who) is refused: \(error.message)"
    case .commandHeld: return "a command for \(who) waits for the end of its interruption"
    case .commandDelivered: return "\(who) gets a remote-control command"
    case .permissionAsked: return "the user is asked whether \(who) may record"
    case .permission(let permission): return "\(who): permission to record is \(permission)"
    case .hardware(let target): return "the hardware should run at \(target.values.phrase)"
    case .hardwarePutBack(let values):
      return "another client changed the hardware; it is put back to \(values.phrase)"
    case .hardwareGivenUp(let values):
      return "another client keeps changing the hardware; it stays at \(values.phrase)"
    case .serverLost: return "the JACK server is gone; every session is void"
    case .serverReset: return "the JACK server is back; apps set up again"
    case .ignored(let what): return "left out: \(what)"
    }
  }

  /// The rule and the sentence: one line of the log.
  public var description: String { "\(rule.rawValue) \(sentence)" }
}
