// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import Mixing

/// The mix that follows when another version of a graph comes into force.
///
/// A value that differs in the two versions is the new version's; any other stays as it is, also where a user has set it. Pure
/// value: [any-thread].
struct MixChange: Sendable, Equatable {
  /// The mix of the new version with what users and sessions have set.
  let spec: MixSpec

  /// The gate and the duck of the strips that a session opens and closes.
  struct Levels: Sendable, Equatable {
    var isGated = false
    var duckDB = 0.0
  }

  /// Makes the mix.
  ///
  /// - Parameters:
  ///   - present: The mix as it is, with the new names of strips and routes, and no fallback that the new version does not have.
  ///   - before: The mix of the old version alone, with the new names.
  ///   - after: The mix of the new version alone.
  ///   - gates: The gates of strips that get another session; all others keep theirs.
  ///   - controls: The crossfader side and the cue that the versions give strips which are none of their sources.
  init(
    _ present: MixSpec,
    from before: MixSpec,
    to after: MixSpec,
    gates: [String: Levels] = [:],
    controls: [String: (before: StripSpec, after: StripSpec)] = [:],
  ) {
    let merge = Merge(present: present, before: before, after: after)
    var strips = after.strips.map { merge.strip($0, gate: gates[$0.id]) }
    let known = Set(before.strips.map(\.id) + after.strips.map(\.id))
    strips += present.strips.filter { !known.contains($0.id) }.map { strip in
      guard let control = controls[strip.id] else { return strip }
      var strip = strip
      strip.crossfaderSide = Merge.value(
        strip.crossfaderSide,
        control.before.crossfaderSide,
        control.after.crossfaderSide,
      )
      strip.isCued = Merge.value(strip.isCued, control.before.isCued, control.after.isCued)
      return strip
    }
    let routes = merge.routes()
    var crossfader = after.crossfader
    crossfader.position = Merge.value(
      present.crossfader.position,
      before.crossfader.position,
      after.crossfader.position,
    )
    spec = MixSpec(
      strips: strips,
      routes: routes,
      sends: merge.sends(strips: strips, routes: routes),
      crossfader: crossfader,
    )
  }

  /// A mix in which nothing passes from some strips, and to some routes.
  static func silence(
    strips: Set<String>,
    routes: Set<String>,
    in spec: MixSpec,
  ) -> MixSpec {
    var spec = spec
    spec.sends.removeAll { strips.contains($0.strip) || routes.contains($0.route) }
    for index in spec.strips.indices where strips.contains(spec.strips[index].id) {
      spec.strips[index].isCued = false
    }
    for index in spec.routes.indices where routes.contains(spec.routes[index].id) {
      spec.routes[index].receivesCue = false
    }
    for index in spec.routes.indices {
      // Another route that is heard there stays where it is, too.
      if let fallback = spec.routes[index].fallback, routes.contains(fallback) {
        spec.routes[index].fallback = nil
      }
    }
    return spec
  }
}

extension MixSpec {
  /// The mix with what ``MixChange/silence(strips:routes:in:)`` has taken out of another one, as far as it still has the strips
  /// and routes.
  ///
  /// - Parameters:
  ///   - strips: The silenced strips.
  ///   - routes: The silenced routes.
  ///   - former: The mix before.
  /// - Returns: The mix with the sends and cues of those, and the routes that are heard there. [any-thread]
  func restoring(strips: Set<String>, routes: Set<String>, of former: MixSpec) -> MixSpec {
    var spec = self
    let silenced = former.sends.filter { send in
      (strips.contains(send.strip) || routes.contains(send.route))
        && !sends.contains { $0.isFor(send) }
    }
    // A session may have ended meanwhile, or have a strip with more channels.
    spec.sends += silenced.compactMap { fitted($0) }
    for strip in former.strips where strips.contains(strip.id) {
      for index in spec.strips.indices where spec.strips[index].id == strip.id {
        spec.strips[index].isCued = strip.isCued
      }
    }
    for route in former.routes where routes.contains(route.id) {
      for index in spec.routes.indices where spec.routes[index].id == route.id {
        spec.routes[index].receivesCue = route.receivesCue
      }
    }
    for route in former.routes {
      guard let fallback = route.fallback, routes.contains(fallback),
        spec.routes.contains(where: { $0.id == fallback })
      else { continue }
      for index in spec.routes.indices where spec.routes[index].id == route.id {
        spec.routes[index].fallback = fallback
      }
    }
    return spec
  }
}

extension MixSpec {
  /// A send as this mix can have it: without a matrix of another shape; nil where its strip or route is gone. [any-thread]
  fileprivate func fitted(_ send: SendSpec) -> SendSpec? {
    guard let strip = strips.first(where: { $0.id == send.strip }),
      let route = routes.first(where: { $0.id == send.route })
    else { return nil }
    guard let matrix = send.matrix,
      matrix.count != route.channels || matrix.contains(where: { $0.count != strip.channels })
    else { return send }
    var send = send
    send.matrix = nil
    return send
  }
}

/// The three mixes of a change, and the rule by which each value is chosen.
///
/// Pure value: [any-thread].
private struct Merge {
  let present: MixSpec
  let before: MixSpec
  let after: MixSpec

  /// The present value, unless the two versions differ in it.
  static func value<Value: Equatable>(_ present: Value, _ before: Value, _ after: Value) -> Value {
    before == after ? present : after
  }

  func strip(_ strip: StripSpec, gate: MixChange.Levels?) -> StripSpec {
    var strip = strip
    let before = before.strips.first { $0.id == strip.id }
    if let now = present.strips.first(where: { $0.id == strip.id }) {
      let before = before ?? now
      strip.faderDB = Self.value(now.faderDB, before.faderDB, strip.faderDB)
      strip.isMuted = Self.value(now.isMuted, before.isMuted, strip.isMuted)
      strip.isCued = Self.value(now.isCued, before.isCued, strip.isCued)
      strip.crossfaderSide = Self.value(
        now.crossfaderSide,
        before.crossfaderSide,
        strip.crossfaderSide,
      )
      strip.pan = Self.value(now.pan, before.pan, strip.pan)
      strip.isSoloed = now.isSoloed
      strip.isGated = now.isGated
      strip.duckDB = now.duckDB
    }
    if let gate {
      strip.isGated = gate.isGated
      strip.duckDB = gate.duckDB
    }
    return strip
  }

  /// The routes; the cue stays where a user has moved it, unless the new version moves it.
  func routes() -> [RouteSpec] {
    let cueMoved =
      before.routes.filter(\.receivesCue).map(\.id) != after.routes.filter(\.receivesCue).map(\.id)
    let names = Set(after.routes.map(\.id))
    let cue = present.routes.first { $0.receivesCue && names.contains($0.id) }?.id
    return after.routes.map { route in
      var route = route
      if !cueMoved { route.receivesCue = route.id == cue }
      guard let now = present.routes.first(where: { $0.id == route.id }) else { return route }
      let before = before.routes.first { $0.id == route.id } ?? now
      route.gainDB = Self.value(now.gainDB, before.gainDB, route.gainDB)
      route.isMuted = Self.value(now.isMuted, before.isMuted, route.isMuted)
      route.cueGainDB = Self.value(now.cueGainDB, before.cueGainDB, route.cueGainDB)
      route.delayFrames = now.delayFrames
      route.fallback = now.fallback
      return route
    }
  }

  /// The sends of the new version, then those that users and sessions have made.
  func sends(strips: [StripSpec], routes: [RouteSpec]) -> [SendSpec] {
    let parts = MixSpec(strips: strips, routes: routes)
    let ofFile = after.sends.map { send in
      var send = send
      guard let now = present.sends.first(where: { $0.isFor(send) }),
        let before = before.sends.first(where: { $0.isFor(send) })
      else { return send }
      send.gainDB = Self.value(now.gainDB, before.gainDB, send.gainDB)
      send.isMuted = Self.value(now.isMuted, before.isMuted, send.isMuted)
      send.pan = Self.value(now.pan, before.pan, send.pan)
      send.isPreFader = Self.value(now.isPreFader, before.isPreFader, send.isPreFader)
      var moved = send
      moved.matrix = Self.value(now.matrix, before.matrix, send.matrix)
      return parts.fitted(moved) == moved ? moved : send
    }
    let others = present.sends.filter { send in
      !before.sends.contains { $0.isFor(send) } && !ofFile.contains { $0.isFor(send) }
    }
    return ofFile + others.compactMap { parts.fitted($0) }
  }
}

extension SendSpec {
  /// Whether another send has the same strip and route. [any-thread]
  fileprivate func isFor(_ other: SendSpec) -> Bool {
    strip == other.strip && route == other.route
  }
}
