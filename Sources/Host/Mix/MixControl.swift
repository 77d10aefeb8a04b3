// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Mixing
internal import Sessions

/// Carries out the control socket's requests to a mix.
///
/// Belongs to the control thread. Lives as long as one engine; a change of sample rate makes a new one
/// with the same spec.
struct MixControl {
  let engine: MixEngine
  /// The targets of running fades, by the fade's number.
  private(set) var fades: [UInt32: MixTarget] = [:]
  private var lastFade: UInt32 = 0

  init(engine: MixEngine) { self.engine = engine }

  // MARK: - Gains

  /// Sets the gain of an existing strip, route or send, with a ramp.
  func setGain(
    _ target: MixTarget,
    decibels: Double,
    fade: Fade,
    reportID: UInt32 = 0,
  ) throws(ControlError) {
    let target = try named(target)
    try refusing { () throws(MixError) in
      switch target {
      case .strip(let strip):
        try engine.setFader(strip: strip, decibels: decibels, fade: fade, reportID: reportID)
      case .route(let route):
        try engine.setRouteGain(route: route, decibels: decibels, fade: fade, reportID: reportID)
      case .send(let strip, let route):
        try engine.setSend(
          strip: strip,
          route: route,
          decibels: decibels,
          fade: fade,
          reportID: reportID,
        )
      }
    }
  }

  /// Moves the crossfader.
  ///
  /// - Throws: `refused` if no strip is on it: nothing would be heard of it.
  func setCrossfader(_ position: Double, fade: Fade) throws(ControlError) {
    guard engine.spec.strips.contains(where: { $0.crossfaderSide != .none }) else {
      throw ControlError(
        .refused,
        message: "the graph has no crossfader; write 'crossfader: {a: SOURCE, b: SOURCE}' "
          + "under 'controls'",
      )
    }
    try refusing { () throws(MixError) in
      try engine.setCrossfader(position: position, fade: fade)
    }
  }

  /// Starts a fade that reports its end.
  ///
  /// - Returns: Its number, and its start gain in dB.
  mutating func startFade(
    _ target: MixTarget,
    decibels: Double,
    seconds: Double,
  ) throws(ControlError) -> (number: UInt32, fromDB: Double) {
    let target = try named(target)
    let from = try gainDB(of: target)
    advanceFade()
    try setGain(target, decibels: decibels, fade: .seconds(seconds), reportID: lastFade)
    // A fade that another change replaced never reports its end; the newer one does.
    fades = fades.filter { $0.value != target }
    fades[lastFade] = target
    return (lastFade, from)
  }

  /// Fades a route out for the host's own purpose: the end is reported, and no fade of a user.
  ///
  /// - Returns: The fade's number; nil for a route that is gone.
  mutating func silence(route: String, seconds: Double) -> UInt32? {
    advanceFade()
    do throws(MixError) {
      try engine.setRouteGain(
        route: route,
        decibels: -.infinity,
        fade: .seconds(seconds),
        reportID: lastFade,
      )
    } catch {
      return nil
    }
    return lastFade
  }

  private mutating func advanceFade() { lastFade = lastFade == .max ? 1 : lastFade + 1 }

  /// Removes a fade that has ended from the list.
  ///
  /// - Returns: Its target, or nil for an unknown number.
  mutating func finishFade(_ number: UInt32) -> MixTarget? { fades.removeValue(forKey: number) }

  /// The target gain.
  func gainDB(of target: MixTarget) throws(ControlError) -> Double {
    switch target {
    case .strip(let id): return try strip(id).faderDB
    case .route(let name): return try route(name).gainDB
    case .send(let strip, let route): return try send(from: strip, to: route).gainDB
    }
  }

  // MARK: - Mutes

  /// Mutes or unmutes.
  func setMute(_ target: MixTarget, isMuted: Bool) throws(ControlError) {
    let target = try named(target)
    switch target {
    case .strip(let strip):
      try refusing { () throws(MixError) in try engine.setMute(strip: strip, isMuted: isMuted) }
    case .route(let route):
      try refusing { () throws(MixError) in try engine.setMute(route: route, isMuted: isMuted) }
    case .send(let strip, let route):
      let send = try send(from: strip, to: route)
      try change { spec in
        guard let index = spec.sends.firstIndex(of: send) else { return }
        spec.sends[index].isMuted = isMuted
      }
    }
  }

  // MARK: - Solo and pan

  /// Solos a strip, or ends its solo.
  func setSolo(strip id: String, isSoloed: Bool) throws(ControlError) {
    let id = try strip(id).id
    try refusing { () throws(MixError) in try engine.setSolo(strip: id, isSoloed: isSoloed) }
  }

  /// Pans a strip, −1 to 1.
  func setPan(strip id: String, pan: Double, fade: Fade) throws(ControlError) {
    let id = try strip(id).id
    try refusing { () throws(MixError) in try engine.setPan(strip: id, pan: pan, fade: fade) }
  }

  // MARK: - Cue and single cells

  /// Adds a strip to the cue route or removes it; a given route becomes the cue route.
  func setCue(strip id: String, isCued: Bool, route name: String?) throws(ControlError) {
    let id = try strip(id).id
    let name = try name.map { name throws(ControlError) in try route(name).id }
    guard name != nil || engine.spec.routes.contains(where: \.receivesCue) || !isCued else {
      throw ControlError(
        .badValue,
        place: "route",
        fault: "the graph has no cue route",
        allowed: "the name of an output route: \(routeNames.joined(separator: ", "))",
      )
    }
    try change { spec in
      if let name, isCued {
        for index in spec.routes.indices {
          spec.routes[index].receivesCue = spec.routes[index].id == name
        }
      }
      for index in spec.strips.indices where spec.strips[index].id == id {
        spec.strips[index].isCued = isCued
      }
    }
  }

  /// Sets one cell of a send: the gain from a channel of the strip to a channel of the route.
  func setCell(
    strip stripID: String,
    route routeName: String,
    stripChannel: Int,
    routeChannel: Int,
    decibels: Double,
    fade: Fade,
  ) throws(ControlError) {
    let strip = try strip(stripID)
    let route = try route(routeName)
    let (stripID, routeName) = (strip.id, route.id)
    try check(stripChannel, in: strip.channels, place: "stripChannel")
    try check(routeChannel, in: route.channels, place: "routeChannel")
    try change(fade: fade) { spec in
      let found = spec.sends.firstIndex { $0.strip == stripID && $0.route == routeName }
      let empty = Array(
        repeating: [Float](repeating: 0, count: strip.channels),
        count: route.channels,
      )
      var send =
        found.map { spec.sends[$0] }
        ?? SendSpec(strip: stripID, route: routeName, matrix: empty)
      var matrix =
        send.matrix
        ?? SendSpec.defaultMatrix(
          stripChannels: strip.channels,
          routeChannels: route.channels,
        )
      matrix[routeChannel - 1][stripChannel - 1] = Decibels.linear(fromDB: decibels)
      send.matrix = matrix
      if let found { spec.sends[found] = send } else { spec.sends.append(send) }
    }
  }

  /// Makes or changes a send, whole or one cell of it.
  func setSend(_ params: SetSend.Params, fade: Fade) throws(ControlError) {
    guard let stripChannel = params.stripChannel, let routeChannel = params.routeChannel else {
      let strip = try strip(params.strip).id
      let route = try route(params.route).id
      return try refusing { () throws(MixError) in
        try engine.setSend(
          strip: strip,
          route: route,
          decibels: params.gainDB,
          fade: fade,
        )
      }
    }
    try setCell(
      strip: params.strip,
      route: params.route,
      stripChannel: stripChannel,
      routeChannel: routeChannel,
      decibels: params.gainDB,
      fade: fade,
    )
  }

  private func check(_ channel: Int, in channels: Int, place: String) throws(ControlError) {
    guard (1...channels).contains(channel) else {
      throw ControlError(
        .badValue,
        place: place,
        fault: "there is no channel \(channel)",
        allowed: "1 to \(channels)",
      )
    }
  }

  // MARK: - Looking up

  /// A target with its names as the mix has them; case does not matter where nothing else differs.
  func named(_ target: MixTarget) throws(ControlError) -> MixTarget {
    switch target {
    case .strip(let id): return .strip(try strip(id).id)
    case .route(let name): return .route(try route(name).id)
    case .send(let strip, let route):
      let send = try send(from: strip, to: route)
      return .send(strip: send.strip, route: send.route)
    }
  }

  private var stripNames: [String] { engine.spec.strips.map(\.id) }
  private var routeNames: [String] { engine.spec.routes.map(\.id) }

  private func strip(_ id: String) throws(ControlError) -> StripSpec {
    let name = Spelling.name(id, among: stripNames)
    guard let strip = engine.spec.strips.first(where: { $0.id == name }) else {
      throw ControlError.unknownStrip(id, known: stripNames)
    }
    return strip
  }

  private func route(_ name: String) throws(ControlError) -> RouteSpec {
    let found = Spelling.name(name, among: routeNames)
    guard let route = engine.spec.routes.first(where: { $0.id == found }) else {
      throw ControlError.unknownRoute(name, known: routeNames)
    }
    return route
  }

  private func send(from strip: String, to route: String) throws(ControlError) -> SendSpec {
    let strip = try self.strip(strip).id
    let route = try self.route(route).id
    let send = engine.spec.sends.first { $0.strip == strip && $0.route == route }
    guard let send else {
      throw ControlError(
        .unknownSend,
        place: "strip, route",
        fault: "strip '\(strip)' has no send to route '\(route)'",
        allowed: "a send that status lists, or one made with setSend",
      )
    }
    return send
  }

  // MARK: - Changing

  /// Changes the spec as a whole.
  func change(
    fade: Fade = .standard,
    _ edit: (inout MixSpec) -> Void,
  ) throws(ControlError) {
    var spec = engine.spec
    edit(&spec)
    let changed = spec
    try refusing { () throws(MixError) in try engine.apply(changed, fade: fade) }
  }

  /// Converts the engine's errors to the protocol's.
  func refusing(_ body: () throws(MixError) -> Void) throws(ControlError) {
    do throws(MixError) {
      try body()
    } catch {
      throw ControlError(error)
    }
  }
}

extension ControlError {
  /// The engine's error as the protocol has it. [any-thread]
  init(_ error: MixError) {
    switch error.code {
    case .unknownStrip: self.init(.unknownStrip, message: error.description)
    case .unknownRoute: self.init(.unknownRoute, message: error.description)
    default: self.init(.badValue, message: error.description)
    }
  }
}
