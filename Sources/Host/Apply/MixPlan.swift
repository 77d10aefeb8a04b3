// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Mixing

/// The audible changes when one mix follows another: each strip, route and send with another level.
///
/// Pure value: [any-thread].
struct MixPlan {
  private let old: MixSpec
  private let new: MixSpec
  private let rampMilliseconds: Double
  private(set) var heard: [GraphPlan.Heard] = []

  /// Compares two mixes.
  ///
  /// - Parameters:
  ///   - old: The mix as it is, with the new names of strips and routes.
  ///   - new: The mix that follows it.
  ///   - rampMilliseconds: The ramp of each change.
  init(from old: MixSpec, to new: MixSpec, rampMilliseconds: Double) {
    self.old = old
    self.new = new
    self.rampMilliseconds = rampMilliseconds
    compareStrips()
    compareRoutes()
    compareSends()
  }

  private mutating func add(
    strip: String? = nil,
    route: String? = nil,
    _ effect: GraphPlan.Heard.Effect,
    _ reason: String,
  ) {
    heard.append(
      GraphPlan.Heard(
        strip: strip,
        route: route,
        effect: effect,
        rampMilliseconds: rampMilliseconds,
        reason: reason,
      )
    )
  }

  private mutating func compareStrips() {
    let before = Dictionary(old.strips.map { ($0.id, $0) }) { first, _ in first }
    let names = Set(new.strips.map(\.id))
    for strip in new.strips {
      guard let other = before[strip.id] else {
        add(strip: strip.id, .fadesIn, "it is new")
        continue
      }
      var reasons: [String] = []
      if strip.faderDB != other.faderDB { reasons.append("its gain changes") }
      if strip.isMuted != other.isMuted {
        reasons.append(strip.isMuted ? "it is muted" : "it is not muted any more")
      }
      if strip.pan != other.pan { reasons.append("its pan changes") }
      if strip.isCued != other.isCued {
        reasons.append(strip.isCued ? "it is cued" : "it is not cued any more")
      }
      let isOnCrossfader = strip.crossfaderSide != .none
      if strip.crossfaderSide != other.crossfaderSide {
        reasons.append("its side of the crossfader changes")
      } else if isOnCrossfader, old.crossfader != new.crossfader {
        reasons.append("the crossfader changes")
      }
      if !reasons.isEmpty { add(strip: strip.id, .ramps, reasons.joined(separator: ", ")) }
    }
    for strip in old.strips where !names.contains(strip.id) {
      add(strip: strip.id, .fadesOut, "it is gone")
    }
  }

  private mutating func compareRoutes() {
    let before = Dictionary(old.routes.map { ($0.id, $0) }) { first, _ in first }
    let names = Set(new.routes.map(\.id))
    for route in new.routes {
      guard let other = before[route.id] else {
        add(route: route.id, .fadesIn, "it is new")
        continue
      }
      var reasons: [String] = []
      if route.gainDB != other.gainDB { reasons.append("its gain changes") }
      if route.isMuted != other.isMuted {
        reasons.append(route.isMuted ? "it is muted" : "it is not muted any more")
      }
      if route.limiter != other.limiter { reasons.append("its limiter changes") }
      if route.delayFrames != other.delayFrames { reasons.append("its delay changes") }
      if route.receivesCue != other.receivesCue {
        reasons.append(route.receivesCue ? "it has the cue" : "it has no cue any more")
      } else if route.receivesCue, route.cueGainDB != other.cueGainDB {
        reasons.append("the gain of the cue changes")
      }
      if let fallback = other.fallback, route.fallback == nil {
        reasons.append("it is not heard on '\(fallback)' any more")
      }
      if !reasons.isEmpty { add(route: route.id, .ramps, reasons.joined(separator: ", ")) }
    }
    for route in old.routes where !names.contains(route.id) {
      add(route: route.id, .fadesOut, "it is gone")
    }
  }

  /// Sends between strips and routes of both mixes; others come and go with their ends.
  private mutating func compareSends() {
    let strips = Set(old.strips.map(\.id)).intersection(new.strips.map(\.id))
    let routes = Set(old.routes.map(\.id)).intersection(new.routes.map(\.id))
    func isOfBoth(_ send: SendSpec) -> Bool {
      strips.contains(send.strip) && routes.contains(send.route)
    }
    for send in new.sends where isOfBoth(send) {
      let other = old.sends.first { $0.strip == send.strip && $0.route == send.route }
      guard let other else {
        add(strip: send.strip, route: send.route, .fadesIn, "the send is new")
        continue
      }
      if send != other {
        add(strip: send.strip, route: send.route, .ramps, "the send changes")
      }
    }
    for send in old.sends where isOfBoth(send) {
      let isGone = !new.sends.contains { $0.strip == send.strip && $0.route == send.route }
      if isGone { add(strip: send.strip, route: send.route, .fadesOut, "the send is gone") }
    }
  }
}
