// SPDX-License-Identifier: MIT

public import Mixing

extension MixSpec {
  /// A mix with random values of everything that acts on a level, the same for the same seed.
  ///
  /// About half of its values are at their standard, so that some signals are heard at full level. Its routes have no delays
  /// and no limiters.
  public static func random(seed: UInt64) -> MixSpec {
    var random = SeededRandom(seed: seed)
    var spec = MixSpec()
    for index in 0..<Int.random(in: 1...4, using: &random) {
      spec.strips.append(.random(id: "strip\(index)", &random))
    }
    for index in 0..<Int.random(in: 1...3, using: &random) {
      var route = RouteSpec(id: "route\(index)", channels: Int.random(in: 1...4, using: &random))
      route.gainDB = randomGainDB(&random)
      route.isMuted = random.isRare(6)
      route.receivesCue = random.isRare(4)
      route.cueGainDB = randomGainDB(&random)
      spec.routes.append(route)
    }
    for strip in spec.strips {
      for route in spec.routes where !random.isRare(4) {
        spec.sends.append(.random(from: strip, to: route, &random))
      }
    }
    if random.isRare(2) { spec.crossfader.position = .random(in: -1...1, using: &random) }
    spec.crossfader.curve = CrossfaderSpec.Curve.allCases.randomElement(using: &random) ?? .linear
    for index in spec.routes.indices where index != 1 && spec.routes.count > 1 {
      if random.isRare(3) { spec.routes[index].fallback = spec.routes[1].id }
    }
    return spec
  }

  fileprivate static func randomGainDB(_ random: inout SeededRandom) -> Double {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: -.infinity
    case 1: .random(in: -80...0, using: &random)
    case 2: .random(in: -2...2, using: &random)
    case 3: .random(in: 0...24, using: &random)
    default: 0
    }
  }
}

extension StripSpec {
  fileprivate static func random(id: String, _ random: inout SeededRandom) -> StripSpec {
    var strip = StripSpec(id: id, channels: Int.random(in: 1...3, using: &random))
    strip.faderDB = MixSpec.randomGainDB(&random)
    strip.isMuted = random.isRare(6)
    strip.isSoloed = random.isRare(8)
    strip.isCued = random.isRare(3)
    strip.isGated = random.isRare(8)
    strip.duckDB = random.isRare(4) ? .random(in: -40...0, using: &random) : 0
    strip.crossfaderSide = random.isRare(3) ? (random.isRare(2) ? .a : .b) : .none
    strip.pan = random.isRare(3) ? .random(in: -1...1, using: &random) : nil
    return strip
  }
}

extension SendSpec {
  fileprivate static func random(
    from strip: StripSpec,
    to route: RouteSpec,
    _ random: inout SeededRandom,
  ) -> SendSpec {
    var send = SendSpec(strip: strip.id, route: route.id)
    send.gainDB = MixSpec.randomGainDB(&random)
    send.isMuted = random.isRare(6)
    send.isPreFader = random.isRare(4)
    send.pan = random.isRare(4) ? .random(in: -1...1, using: &random) : nil
    if random.isRare(3) {
      send.matrix = (0..<route.channels).map { _ in
        (0..<strip.channels).map { _ in
          random.isRare(3) ? .random(in: -2...2, using: &random) : random.isRare(2) ? 1 : 0
        }
      }
    }
    return send
  }
}

extension SeededRandom {
  /// True once in so many times.
  fileprivate mutating func isRare(_ times: Int) -> Bool {
    Int.random(in: 0..<times, using: &self) == 0
  }
}
