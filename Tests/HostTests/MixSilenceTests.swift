// SPDX-License-Identifier: MIT

import Mixing
import TestSupport
import Testing

@testable import Host

/// The judge of what the mix lets through, against the engine.
struct MixSilenceTests {
  /// A mix of three strips and two routes in a random state.
  private static func spec(_ random: inout some RandomNumberGenerator) -> MixSpec {
    func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }
    func gain() -> Double { chance(0.2) ? -.infinity : -6 }
    let names = ["a", "b", "c"]
    let strips = names.map { name in
      StripSpec(
        id: name,
        channels: 2,
        faderDB: gain(),
        isMuted: chance(0.2),
        isSoloed: chance(0.1),
        isCued: chance(0.15),
        crossfaderSide: [.none, .a, .b].randomElement(using: &random) ?? .none,
      )
    }
    var routes = [
      RouteSpec(id: "main", channels: 2, gainDB: gain(), isMuted: chance(0.2)),
      RouteSpec(
        id: "phones",
        channels: 2,
        gainDB: gain(),
        isMuted: chance(0.2),
        receivesCue: chance(0.5),
      ),
    ]
    if chance(0.3) { routes[1].fallback = "main" }
    var sends: [SendSpec] = []
    for strip in names {
      for route in ["main", "phones"] where chance(0.6) {
        sends.append(
          SendSpec(
            strip: strip,
            route: route,
            gainDB: gain(),
            isMuted: chance(0.2),
            isPreFader: chance(0.2),
          )
        )
      }
    }
    return MixSpec(
      strips: strips,
      routes: routes,
      sends: sends,
      crossfader: CrossfaderSpec(position: [-1, 0, 1].randomElement(using: &random) ?? 0),
    )
  }

  @Test func `in 1,000 random states it agrees with the gains of the engine`() throws {
    var random = TestSeed.random()
    var silent = 0
    for _ in 0..<1_000 {
      let spec = Self.spec(&random)
      // Nobody hears the ports of a route that is heard on another one.
      let away = Set(spec.routes.filter { $0.fallback != nil }.map(\.id))
      let gains = try MixEngine(spec, configuration: .init(sampleRateHz: 48_000)).heardGains()
      let heard = Set(gains.filter { !away.contains($0.route) }.map(\.strip))
      for strip in spec.strips {
        let silence = spec.silence(ofStrips: [strip.id])
        #expect((silence == nil) == heard.contains(strip.id), "\(strip) \(spec)")
        if silence != nil { silent += 1 }
      }
    }
    #expect(silent > 500)
  }
}
