// SPDX-License-Identifier: MIT

/// The judge of what is heard of a mix: the same gains as the renderer's, and the routes' ways to the hardware.
///
/// A strip is heard if any of its sends or cues gets through. Where none does, the cause is the place that closes the last of
/// those that were open until there: what comes earlier on the way is found first, and ending the cause leads to sound or to a
/// later cause.
///
/// A plain value: [any-thread].
public struct MixHearing: Sendable {
  /// The gain up to which nothing counts as heard: below the noise of every converter.
  public static let floorDB: Double = -120

  private static let floor = Decibels.linear(fromDB: floorDB)

  private let strips: [String: StripSpec]
  private let routes: [String: RouteSpec]
  private let sends: [String: [SendSpec]]
  private let cueRoutes: [RouteSpec]
  private let crossfader: CrossfaderSpec
  /// The first soloed strip.
  private let soloed: String?
  private let outlets: [String: RouteOutlet]

  /// Judges a valid mix.
  ///
  /// - Parameters:
  ///   - spec: The mix.
  ///   - outlets: The ways on from its routes; a route that is left out is heard.
  public init(_ spec: MixSpec, outlets: [String: RouteOutlet] = [:]) {
    strips = Dictionary(spec.strips.map { ($0.id, $0) }) { first, _ in first }
    routes = Dictionary(spec.routes.map { ($0.id, $0) }) { first, _ in first }
    sends = Dictionary(grouping: spec.sends, by: \.strip)
    cueRoutes = spec.routes.filter(\.receivesCue)
    crossfader = spec.crossfader
    soloed = spec.strips.first(where: \.isSoloed)?.id
    self.outlets = outlets
  }

  /// Why nothing is heard of a strip with a signal; nil where it is heard.
  public func silence(ofStrip id: String) -> StripSilence? {
    guard let strip = strips[id] else { return .noStrip }
    if strip.isGated { return .gate }
    if Decibels.linear(fromDB: strip.duckDB) == 0 { return .duck }
    let cues = strip.isCued ? cueRoutes.map { cue(of: strip, on: $0) } : []
    let cueSilence = Self.silence(of: cues)
    if !cues.isEmpty, cueSilence == nil { return nil }
    let own = (sends[id] ?? []).compactMap { send in
      routes[send.route].map { way(of: strip, by: send, to: $0) }
    }
    return own.isEmpty ? cueSilence ?? .noSend : Self.silence(of: own)
  }

  // MARK: - The ways of a strip

  /// One send or cue, with the places on its way in their order and whether each of them is closed.
  private struct Way {
    var places: [(cause: StripSilence, isClosed: Bool)]
  }

  /// The cause at the place that closes the last of some ways; nil where one of them gets through.
  private static func silence(of ways: [Way]) -> StripSilence? {
    var open = ways
    for place in 0..<(ways.first?.places.count ?? 0) {
      let passing = open.filter { !$0.places[place].isClosed }
      if passing.isEmpty { return open.first?.places[place].cause }
      open = passing
    }
    return nil
  }

  private func way(of strip: StripSpec, by send: SendSpec, to route: RouteSpec) -> Way {
    let fader = send.isPreFader ? 1 : Decibels.linear(fromDB: strip.faderDB)
    let side = send.isPreFader ? 1 : crossfader.gainLinear(side: strip.crossfaderSide)
    let gain = Decibels.linear(fromDB: send.gainDB)
    let cells = Cells(inputs: strip.channels, outputs: route.channels) { input, output in
      send.coefficient(input, of: strip, output, of: route)
    }
    // A solo leaves the cue routes alone.
    let isBehindSolo = soloed != nil && !strip.isSoloed && !route.receivesCue
    return Way(
      places: [
        (.mute, strip.isMuted),
        (.sendMute(route: route.id), send.isMuted),
        (.sendGain(route: route.id), gain == 0),
        (.channels(route: route.id), !cells.contains(above: 0)),
        (.fader, fader == 0),
        (.crossfader, side == 0),
        (.solo(of: soloed ?? ""), isBehindSolo),
      ] + outside(route, cells, gain: gain * fader * side * Decibels.linear(fromDB: strip.duckDB))
    )
  }

  private func cue(of strip: StripSpec, on route: RouteSpec) -> Way {
    let gain = Decibels.linear(fromDB: route.cueGainDB)
    let cells = Cells(inputs: strip.channels, outputs: route.channels) { input, output in
      MixSpec.defaultCoefficient(input, of: strip.channels, output, of: route.channels)
    }
    return Way(
      places: [(.cueGain(route: route.id), gain == 0)]
        + outside(route, cells, gain: gain * Decibels.linear(fromDB: strip.duckDB))
    )
  }

  /// The places of a route, of the one on which it is heard, and behind it.
  private func outside(
    _ route: RouteSpec,
    _ cells: Cells,
    gain: Float,
  ) -> [(cause: StripSilence, isClosed: Bool)] {
    let target = route.fallback.flatMap { routes[$0] }
    let last = target ?? route
    let cells = target.map { cells.heard(on: $0.channels) } ?? cells
    let outlet = outlets[last.id] ?? RouteOutlet()
    let level = Decibels.linear(fromDB: route.gainDB)
    let targetLevel = target.map { Decibels.linear(fromDB: $0.gainDB) } ?? 1
    let cut = outlet.cutChannels
    let isCut = !cut.isEmpty && !cells.contains(above: 0, besides: cut)
    return [
      (.routeMute(route: route.id), route.isMuted),
      (.routeMute(route: last.id), target?.isMuted ?? false),
      (.routeGain(route: route.id), level == 0),
      (.routeGain(route: last.id), targetLevel == 0),
      (.away(route: last.id), !outlet.isThere),
      (.cut(route: last.id, channels: isCut ? cells.outputsInUse : []), isCut),
      (
        .faint(route: last.id),
        !cells.contains(above: Self.floor, times: gain * level * targetLevel, besides: cut)
      ),
    ]
  }
}

/// The coefficients from the channels of a strip to those of a route, as far as they are looked for: most are found at once.
private struct Cells {
  let inputs: Int
  let outputs: Int
  let coefficient: (_ input: Int, _ output: Int) -> Float

  /// The coefficients to the channels of another route, on which the route is heard.
  func heard(on channels: Int) -> Cells {
    Cells(inputs: inputs, outputs: channels) { input, output in
      (0..<outputs).reduce(0) { sum, own in
        let share = MixSpec.defaultCoefficient(own, of: outputs, output, of: channels)
        return share == 0 ? sum : sum + coefficient(input, own) * share
      }
    }
  }

  /// Whether any coefficient, times a gain, has a magnitude above a limit; without those of some outputs.
  func contains(above limit: Float, times gain: Float = 1, besides cut: Set<Int> = []) -> Bool {
    (0..<outputs).contains { !cut.contains($0) && contains(above: limit, times: gain, at: $0) }
  }

  /// The outputs with a coefficient that is not 0.
  var outputsInUse: [Int] { (0..<outputs).filter { contains(above: 0, times: 1, at: $0) } }

  private func contains(above limit: Float, times gain: Float, at output: Int) -> Bool {
    (0..<inputs).contains { abs(coefficient($0, output) * gain) > limit }
  }
}
