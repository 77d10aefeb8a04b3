// SPDX-License-Identifier: MIT

/// The keys of one route.
enum RouteKey: String, SectionKey {
  static let section = "route"
  case type, direction, ports, gain, mute, limiter, label, inserts, wet
}

/// The keys of a route's `limiter`.
enum LimiterKey: String, SectionKey {
  static let section = "limiter"
  case ceiling, release, lookahead
}

extension GraphFile.Route {
  init(name: Field, node: YAMLNode) {
    self.init(name: name.name, type: .virtual, direction: .output, ports: [])
    guard let section = Section<RouteKey>(node, at: name.position, log: name.log) else { return }
    if let type: PortType = section.required(.type, example: "lineOut")?.choice() {
      self.type = type
      direction = type.directions.first ?? .output
    }
    if let written: Direction = section[.direction]?.choice() {
      direction = written
      if section[.type] != nil, !type.directions.contains(written) {
        section[.direction]?.error("a route of type '\(type.rawValue)' has no \(written.rawValue)")
      }
    }
    ports = section.required(.ports, example: "[system:playback_1]")?.portSelectors() ?? []
    gainDB = section[.gain]?.decibels() ?? gainDB
    isMuted = section[.mute]?.flag() ?? isMuted
    if let keys: Section<LimiterKey> = section[.limiter]?.section() {
      limiter = Limiter(keys)
      if direction == .input {
        section[.limiter]?.error("only output routes have one; remove it")
      }
    }
    label = section[.label]?.text(allowed: "a name for people")
    inserts = section[.inserts]?.inserts() ?? inserts
    wet = section[.wet]?.share() ?? wet
  }
}

extension GraphFile.Route.Limiter {
  init(_ section: Section<LimiterKey>) {
    ceilingDB = section[.ceiling]?.decibels(in: -24...0) ?? ceilingDB
    releaseDuration =
      section[.release]?.duration(in: .milliseconds(1)...(.seconds(5))) ?? releaseDuration
    lookaheadDuration =
      section[.lookahead]?.duration(in: .zero...(.milliseconds(20))) ?? lookaheadDuration
  }
}
