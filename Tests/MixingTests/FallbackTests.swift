// SPDX-License-Identifier: MIT

import Mixing
import Realtime
import TestSupport
import Testing

/// A route that is heard through another one.
@Suite("Fallbacks")
struct FallbackTests {
  /// A strip on the main route, and one on a route that is heard there.
  private let spec = MixSpec(
    strips: [StripSpec(id: "one", channels: 1), StripSpec(id: "two", channels: 1)],
    routes: [
      RouteSpec(id: "main", channels: 1),
      RouteSpec(id: "away", channels: 1, fallback: "main"),
    ],
    sends: [SendSpec(strip: "one", route: "main"), SendSpec(strip: "two", route: "away")],
  )

  /// Main and away, for inputs of 1 and 10.
  private func settled(_ edit: (inout MixSpec) -> Void = { _ in }) throws -> [Float] {
    var spec = spec
    edit(&spec)
    var renderer = try OfflineRenderer(spec)
    return try renderer.render(inputs: [constant(1, 4), constant(10, 4)], frames: 4).map { $0[3] }
  }

  private func isHeard(_ expected: [Float], _ edit: (inout MixSpec) -> Void) throws -> Bool {
    try largestDifference([settled(edit)], [expected]) < 1e-5
  }

  @Test func `both routes' gains and mutes act on it`() throws {
    #expect(try settled() == [11, 10])
    #expect(try settled { $0.routes[1].fallback = nil } == [1, 10])
    #expect(try isHeard([2, 1]) { $0.routes[1].gainDB = -20 })
    #expect(try settled { $0.routes[1].isMuted = true } == [1, 0])
    #expect(try isHeard([1.1, 10]) { $0.routes[0].gainDB = -20 })
    #expect(try settled { $0.routes[0].isMuted = true } == [0, 10])
    #expect(
      try isHeard([1.1, 1]) {
        $0.sends[1].gainDB = -20; $0.sends[0].gainDB = -20
      }
    )
  }

  @Test func `the other route's limiter holds the sum down, and its meter shows it`() throws {
    var spec = spec
    spec.routes[0].limiter = LimiterSpec(ceilingDB: -6)
    var renderer = try OfflineRenderer(spec)
    let inputs = [constant(0.4, 2_000), constant(0.4, 2_000)]
    let output = try renderer.render(inputs: inputs, frames: 2_000)
    let ceiling = Decibels.linear(fromDB: -6)
    #expect(output[0].allSatisfy { $0 <= ceiling })
    #expect(output[1].allSatisfy { $0 == 0.4 })
    let meters = renderer.engine.meters()
    #expect(meters.routes[0].limiterGain.map { $0 < 0.99 } == true)
    #expect(meters.routes[0].channels[0].peakLinear > 0.41)
  }

  @Test(
    arguments: [
      (1, 2, [1, 1]), (2, 1, [1.5]), (2, 2, [1, 2]), (4, 2, [1, 2]), (2, 3, [1, 2, 0]),
    ] as [(Int, Int, [Float])]
  )
  func `channels go as those of a send`(own: Int, other: Int, heard: [Float]) throws {
    let spec = MixSpec(
      strips: [StripSpec(id: "in", channels: own)],
      routes: [
        RouteSpec(id: "away", channels: own, fallback: "main"),
        RouteSpec(id: "main", channels: other),
      ],
      sends: [SendSpec(strip: "in", route: "away")],
    )
    var renderer = try OfflineRenderer(spec)
    let inputs = (1...own).map { constant(Float($0), 4) }
    let output = try renderer.render(inputs: inputs, frames: 4).map { $0[3] }
    #expect(Array(output[own...]) == heard)
  }

  @Test func `the coefficients of a send on the other route are those of both`() {
    let matrix: [[Float]] = [[1, 0.5], [0, 1]]
    #expect(SendSpec.matrix(matrix, heardOn: 1) == [[0.5, 0.75]])
    #expect(SendSpec.matrix(matrix, heardOn: 3) == [[1, 0.5], [0, 1], [0, 0]])
    #expect(SendSpec.matrix([[1, 0.5]], heardOn: 2) == [[1, 0.5], [1, 0.5]])
  }

  @Test func `a cue route is heard there as its listener heard it, whatever is soloed`() throws {
    let cue: (inout MixSpec) -> Void = {
      $0.routes[1].receivesCue = true
      $0.sends.append(SendSpec(strip: "two", route: "main"))
      $0.strips[0].isSoloed = true
    }
    #expect(try settled(cue) == [11, 10])
    #expect(
      try settled {
        cue(&$0)
        $0.strips[1].isCued = true
        $0.strips[1].isMuted = true
      } == [11, 10]
    )
    #expect(
      try settled {
        cue(&$0)
        $0.routes[1].receivesCue = false
      } == [1, 0]
    )
  }

  @Test func `a strip that is on both routes is heard once by each`() throws {
    var spec = spec
    spec.sends.append(SendSpec(strip: "two", route: "main"))
    var renderer = try OfflineRenderer(spec)
    let output = try renderer.render(inputs: [constant(1, 4), constant(10, 4)], frames: 4)
    #expect(output.map { $0[3] } == [21, 10])
    let gains = renderer.engine.heardGains().filter { $0.strip == "two" && $0.route == "main" }
    #expect(gains.map(\.linear) == [2])
  }

  @Test func `a fallback is taken and left without a click, as is a change of what is heard there`()
    throws
  {
    var home = spec
    home.routes[1].fallback = nil
    let (away, fade) = (spec, Fade.frames(400))
    var renderer = try OfflineRenderer(home, blockFrames: 48)
    let output = try renderer.render(
      inputs: [[], constant(1, 6_000)],
      frames: 6_000,
      changes: [
        .init(atFrame: 500) { try $0.apply(away, fade: fade) },
        .init(atFrame: 1_500) { try $0.setMute(route: "away", isMuted: true, fade: fade) },
        .init(atFrame: 2_500) { try $0.setMute(route: "away", isMuted: false, fade: fade) },
        .init(atFrame: 3_500) { try $0.setRouteGain(route: "away", decibels: 6, fade: fade) },
        .init(atFrame: 4_500) { try $0.apply(home, fade: fade) },
      ],
    )[0]
    #expect(largestStep(output) <= 1.01 * 2 / 400)
    let ends = [499, 1_499, 2_499, 3_499].map { output[$0] }
    #expect(ends == [0, 1, 0, 1])
    #expect(abs(output[4_499] - Decibels.linear(fromDB: 6)) < 1e-5)
    #expect(output[4_900...].allSatisfy { $0 == 0 })
  }

  @Test func `a fade is reported when it has ended, also beside a fallback`() throws {
    var spec = spec
    spec.sends.append(SendSpec(strip: "two", route: "main"))
    var renderer = try OfflineRenderer(spec, blockFrames: 64)
    let silent = -Double.infinity
    _ = try renderer.render(
      inputs: [],
      frames: 1_000,
      changes: [
        .init(atFrame: 64) {
          try $0.setSend(
            strip: "two",
            route: "main",
            decibels: silent,
            fade: .frames(100),
            reportID: 1,
          )
        },
        .init(atFrame: 300) {
          try $0.setRouteGain(route: "away", decibels: -6, fade: .frames(70), reportID: 2)
        },
        .init(atFrame: 500) {
          // Silent already; what the other route brings stays.
          try $0.setSend(
            strip: "two",
            route: "main",
            decibels: silent,
            fade: .frames(100),
            reportID: 3,
          )
        },
      ],
    )
    let reports = renderer.events.filter { if case .rampFinished = $0 { true } else { false } }
    #expect(
      reports == [
        .rampFinished(reportID: 1, frame: 164), .rampFinished(reportID: 2, frame: 370),
        .rampFinished(reportID: 3, frame: 500),
      ]
    )
  }

  @Test func `it follows new names`() throws {
    var renderer = try OfflineRenderer(spec)
    let engine = renderer.engine
    engine.rename(strips: [:], routes: ["main": "room", "away": "phones"])
    #expect(engine.spec.routes.map(\.fallback) == [nil, "room"])
    try engine.setRouteGain(route: "phones", decibels: 0, fade: .none)
    let output = try renderer.render(inputs: [constant(1, 4), constant(10, 4)], frames: 4)
    #expect(output.map { $0[3] } == [11, 10])
  }

  @Test func `in random mixes the other route plays what both would play, with its own gain`()
    throws
  {
    var count = 0
    for mix in 0..<300 {
      let spec = MixSpec.random(seed: TestSeed.derived(number: mix))
      guard spec.routes.contains(where: { $0.fallback != nil }) else { continue }
      count += 1
      var apart = spec
      for index in apart.routes.indices { apart.routes[index].fallback = nil }
      let inputs = (0..<spec.inputChannels).map { noise(UInt64($0), 64) }
      var (renderer, other) = (try OfflineRenderer(spec), try OfflineRenderer(apart))
      let played = try renderer.render(inputs: inputs, frames: 64)
      let parts = try other.render(inputs: inputs, frames: 64)
      var expected = parts
      for away in spec.routes {
        guard let target = spec.routes.first(where: { $0.id == away.fallback }) else { continue }
        let gain = target.isMuted ? 0 : Decibels.linear(fromDB: target.gainDB)
        let matrix = SendSpec.defaultMatrix(
          stripChannels: away.channels,
          routeChannels: target.channels,
        )
        for (row, shares) in matrix.enumerated() {
          for (column, share) in shares.enumerated() {
            let stream = parts[spec.firstOutput(of: away.id) + column]
            let place = spec.firstOutput(of: target.id) + row
            expected[place] = zip(expected[place], stream).map { $0 + gain * share * $1 }
          }
        }
      }
      let loudest = (parts + expected).joined().reduce(1) { max($0, abs($1)) }
      #expect(largestDifference(played, expected) <= 1e-4 * loudest, "mix \(mix)")
    }
    #expect(count > 50)
  }
}

extension MixSpec {
  fileprivate func firstOutput(of id: String) -> Int {
    routes.prefix { $0.id != id }.reduce(0) { $0 + $1.channels }
  }
}
