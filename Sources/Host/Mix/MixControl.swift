// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Mixing

/// Carries out what the control socket asks of a mix.
///
/// Belongs to the control thread. Lives as long as one engine; a change of sample rate makes a new one
/// with the same spec.
struct MixControl {
  let engine: MixEngine
  /// The gain that a fade goes to, by its number.
  private(set) var fades: [UInt32: MixTarget] = [:]
  private var lastFade: UInt32 = 0

  init(engine: MixEngine) { self.engine = engine }

  // MARK: - Gains

  /// Sets the gain of a strip, a route or a send that exists, with a ramp.
  func setGain(
    _ target: MixTarget,
    decibels: Double,
    fade: Mixing.Fade,
    reportID: UInt32 = 0,
  ) throws(ControlError) {
    _ = try gainDB(of: target)
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

  /// Starts a fade that reports its end.
  ///
  /// - Returns: Its number, and the gain that it starts from in dB.
  mutating func startFade(
    _ target: MixTarget,
    decibels: Double,
    seconds: Double,
  ) throws(ControlError) -> (number: UInt32, fromDB: Double) {
    let from = try gainDB(of: target)
    lastFade = lastFade == .max ? 1 : lastFade + 1
    try setGain(target, decibels: decibels, fade: .seconds(seconds), reportID: lastFade)
    // A fade that another change took over never lands; the newer one answers for it.
    fades = fades.filter { $0.value != target }
    fades[lastFade] = target
    return (lastFade, from)
  }

  /// Takes a fade that has landed off the list.
  ///
  /// - Returns: What it was for, or nil when it is none of ours.
  mutating func finishFade(_ number: UInt32) -> MixTarget? { fades.removeValue(forKey: number) }

  /// The gain that is asked for now.
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
    _ = try gainDB(of: target)
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

  /// Solos a strip, or no longer.
  func setSolo(strip id: String, isSoloed: Bool) throws(ControlError) {
    _ = try strip(id)
    try refusing { () throws(MixError) in try engine.setSolo(strip: id, isSoloed: isSoloed) }
  }

  /// Pans a strip, −1 to 1.
  func setPan(strip id: String, pan: Double, fade: Mixing.Fade) throws(ControlError) {
    _ = try strip(id)
    try refusing { () throws(MixError) in try engine.setPan(strip: id, pan: pan, fade: fade) }
  }

  // MARK: - Cue and single cells

  /// Puts a strip on the cue route or takes it off; a route that is named becomes the cue route.
  func setCue(strip id: String, isCued: Bool, route name: String?) throws(ControlError) {
    _ = try strip(id)
    if let name { _ = try route(name) }
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
    fade: Mixing.Fade,
  ) throws(ControlError) {
    let strip = try strip(stripID)
    let route = try route(routeName)
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
  func setSend(_ params: SetSend.Params, fade: Mixing.Fade) throws(ControlError) {
    guard let stripChannel = params.stripChannel, let routeChannel = params.routeChannel else {
      _ = try strip(params.strip)
      _ = try route(params.route)
      return try refusing { () throws(MixError) in
        try engine.setSend(
          strip: params.strip,
          route: params.route,
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

  private var stripNames: [String] { engine.spec.strips.map(\.id) }
  private var routeNames: [String] { engine.spec.routes.map(\.id) }

  private func strip(_ id: String) throws(ControlError) -> StripSpec {
    guard let strip = engine.spec.strips.first(where: { $0.id == id }) else {
      throw ControlError.unknownStrip(id, known: stripNames)
    }
    return strip
  }

  private func route(_ name: String) throws(ControlError) -> RouteSpec {
    guard let route = engine.spec.routes.first(where: { $0.id == name }) else {
      throw ControlError.unknownRoute(name, known: routeNames)
    }
    return route
  }

  private func send(from strip: String, to route: String) throws(ControlError) -> SendSpec {
    _ = try self.strip(strip)
    _ = try self.route(route)
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
    fade: Mixing.Fade = .standard,
    _ edit: (inout MixSpec) -> Void,
  ) throws(ControlError) {
    var spec = engine.spec
    edit(&spec)
    let changed = spec
    try refusing { () throws(MixError) in try engine.apply(changed, fade: fade) }
  }

  /// Turns the engine's errors into the protocol's.
  func refusing(_ body: () throws(MixError) -> Void) throws(ControlError) {
    do throws(MixError) {
      try body()
    } catch {
      switch error.code {
      case .unknownStrip: throw ControlError(.unknownStrip, message: error.description)
      case .unknownRoute: throw ControlError(.unknownRoute, message: error.description)
      default: throw ControlError(.badValue, message: error.description)
      }
    }
  }
}
