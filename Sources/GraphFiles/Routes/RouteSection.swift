// SPDX-License-Identifier: MIT

internal import Sessions
internal import YAML

/// The keys of one route.
enum RouteKey: String, SectionKey {
  static let section = "route"
  case type, direction, ports, device, njbridge, jacktrip, align, fallback, gain, mute, limiter,
    label, color, inserts, wet, mirrored, was
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
    if let type = section[.type]?.portType() {
      self.type = type
      direction = type.directions.first ?? .output
    }
    isTypeGuessed = section[.type] == nil
    if let written: Direction = section[.direction]?.choice() {
      direction = written
      if section[.type] != nil, !type.directions.contains(written) {
        section[.direction]?.error("a route of type '\(type.name)' has no \(written.rawValue)")
      }
    }
    isMirrored = section[.mirrored]?.flag() ?? isMirrored
    if section[.mirrored] != nil, type != .airPlay {
      section[.mirrored]?.error("only routes of type 'airPlay' have this key; remove it")
    }
    readPorts(section)
    alignment = section[.align]?.alignment()
    fallback = section[.fallback]?.graphName()
    gainDB = section[.gain]?.decibels() ?? gainDB
    isMuted = section[.mute]?.flag() ?? isMuted
    if let keys: Section<LimiterKey> = section[.limiter]?.section() { limiter = Limiter(keys) }
    if direction == .input {
      for key in [RouteKey.limiter, .align, .fallback] {
        section[key]?.error("only output routes have this key; remove it")
      }
    }
    was = section[.was]?.graphName()
    label = section[.label]?.text(allowed: "a name for people")
    color = section[.color]?.color()
    inserts = section[.inserts]?.inserts() ?? inserts
    wet = section[.wet]?.share() ?? wet
  }

  /// Reads the one key that says where the ports come from.
  private mutating func readPorts(_ section: Section<RouteKey>) {
    let origins = [RouteKey.ports, .device, .njbridge, .jacktrip].filter { section[$0] != nil }
    guard let origin = origins.first else {
      _ = section.required(.ports, example: "[system:playback_1]")
      return
    }
    for extra in origins.dropFirst() {
      section[extra]?.error("'\(origin.rawValue)' is there too; keep one of them")
    }
    switch origin {
    case .device:
      helper = section[.device].map { .device(Device($0)) }
    case .njbridge:
      helper = section[.njbridge]?.section().map { .njbridge(NJBridge($0)) }
    case .jacktrip:
      helper = section[.jacktrip]?.section().map { .jacktrip(JackTrip($0)) }
    default:
      ports = section[.ports]?.portSelectors() ?? []
    }
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

extension Field {
  /// `auto`, `free`, or a delay.
  func alignment() -> GraphFile.Route.Alignment? {
    switch node.content {
    case .scalar("auto", _): .automatic
    case .scalar("free", _): .free
    default: duration(in: .zero...(.milliseconds(500))).map { .delay($0) }
    }
  }

  /// `auto` or `free`, for all routes.
  func alignsRoutes() -> Bool? {
    switch scalar(allowed: "auto or free") {
    case nil: return nil
    case "auto": return true
    case "free": return false
    case let text?:
      error("\(MessageText.quoted(text)) is not known; allowed: auto, free")
      return nil
    }
  }
}
