// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import Mixing

/// A mix with the ways on from its routes, and a listener behind them.
private struct Stage {
  var spec: MixSpec
  var outlets: [String: RouteOutlet] = [:]

  /// A random mix; some of its routes wait for their ports, and some channels are cut off.
  static func numbered(_ number: Int) -> Stage {
    var random = TestSeed.random("stage", number: number)
    func isRare(_ times: Int) -> Bool { Int.random(in: 0..<times, using: &random) == 0 }
    var stage = Stage(spec: MixSpec.random(seed: random.next()))
    // The ends of the crossfader, where one side is exact silence.
    if isRare(3) { stage.spec.crossfader.position = isRare(2) ? -1 : 1 }
    for route in stage.spec.routes {
      stage.outlets[route.id] = RouteOutlet(
        isThere: !isRare(4),
        cutChannels: Set((0..<route.channels).filter { _ in isRare(3) }),
      )
    }
    return stage
  }

  func silence(of strip: String) -> StripSilence? {
    MixHearing(spec, outlets: outlets).silence(ofStrip: strip)
  }

  /// The strips of which more than the floor comes out of the renderer, on a channel that reaches somebody.
  func heard() throws -> Set<String> {
    var renderer = try OfflineRenderer(spec, blockFrames: 16)
    let frames = max(16, spec.inputChannels)
    // An impulse in a frame of its own for each channel: the output of that frame is the gain.
    let inputs = (0..<spec.inputChannels).map { channel in
      (0..<frames).map { $0 == channel ? Float(1) : 0 }
    }
    let outputs = try renderer.render(inputs: inputs, frames: frames)
    var loudest = [Float](repeating: 0, count: frames)
    var first = 0
    for route in spec.routes {
      let outlet = outlets[route.id] ?? RouteOutlet()
      for channel in 0..<route.channels
      // Nobody hears the ports of a route that is heard on another one.
      where route.fallback == nil && outlet.isThere && !outlet.cutChannels.contains(channel) {
        for (frame, sample) in outputs[first + channel].enumerated() {
          loudest[frame] = max(loudest[frame], abs(sample))
        }
      }
      first += route.channels
    }
    var heard: Set<String> = []
    var input = 0
    for strip in spec.strips {
      if loudest[input..<input + strip.channels].contains(where: { $0 > 1e-6 }) {
        heard.insert(strip.id)
      }
      input += strip.channels
    }
    return heard
  }

  /// Ends one cause, and nothing else.
  mutating func end(_ cause: StripSilence, of id: String) {
    switch cause {
    case .noStrip: spec.strips.append(StripSpec(id: id, channels: 1))
    case .gate: change(id) { $0.isGated = false }
    // Far too low still, but not nothing.
    case .duck: change(id) { $0.duckDB = -200 }
    case .cueGain(let route): change(route: route) { $0.cueGainDB = 0 }
    case .noSend: spec.sends.append(SendSpec(strip: id, route: spec.routes[0].id))
    case .mute: change(id) { $0.isMuted = false }
    case .sendMute(let route): change(id, route) { $0.isMuted = false }
    case .sendGain(let route): change(id, route) { $0.gainDB = 0 }
    case .channels(let route):
      change(id, route) { send in
        send.matrix = nil
        send.pan = 0
      }
    case .fader: change(id) { $0.faderDB = 0 }
    case .crossfader: spec.crossfader.position = 0
    case .solo(let other): change(other) { $0.isSoloed = false }
    case .routeMute(let route): change(route: route) { $0.isMuted = false }
    case .routeGain(let route): change(route: route) { $0.gainDB = 0 }
    case .away(let route): outlets[route, default: RouteOutlet()].isThere = true
    case .cut(let route, let channels):
      outlets[route, default: RouteOutlet()].cutChannels.subtract(channels)
    case .faint(let route): endFaintness(of: id, on: route)
    }
  }

  /// Raises all that lowers a strip on its way to a route.
  private mutating func endFaintness(of id: String, on route: String) {
    change(id) { strip in
      strip.faderDB = max(0, strip.faderDB)
      strip.duckDB = 0
    }
    // Also where it is heard on that route in place of another one.
    for way in spec.routes.filter({ $0.id == route || $0.fallback == route }).map(\.id) {
      change(id, way) { send in
        send.gainDB = max(0, send.gainDB)
        send.pan = 0
        send.matrix = send.matrix?.map { row in row.map { $0 == 0 ? 0 : max(1, abs($0)) } }
      }
      change(route: way) { route in
        route.gainDB = max(0, route.gainDB)
        route.cueGainDB = max(0, route.cueGainDB)
      }
    }
    spec.crossfader.position = 0
  }

  private mutating func change(_ strip: String, _ body: (inout StripSpec) -> Void) {
    for index in spec.strips.indices where spec.strips[index].id == strip {
      body(&spec.strips[index])
    }
  }

  private mutating func change(_ strip: String, _ route: String, _ body: (inout SendSpec) -> Void) {
    for index in spec.sends.indices
    where spec.sends[index].strip == strip && spec.sends[index].route == route {
      body(&spec.sends[index])
    }
  }

  private mutating func change(route: String, _ body: (inout RouteSpec) -> Void) {
    for index in spec.routes.indices where spec.routes[index].id == route {
      body(&spec.routes[index])
    }
  }
}

extension StripSilence {
  /// The place on the way from the session to the hardware.
  fileprivate var place: Int {
    switch self {
    case .noStrip: 0
    case .gate: 1
    case .duck: 2
    case .cueGain: 3
    case .noSend: 4
    case .mute: 5
    case .sendMute: 6
    case .sendGain: 7
    case .channels: 8
    case .fader: 9
    case .crossfader: 10
    case .solo: 11
    case .routeMute: 12
    case .routeGain: 13
    case .away: 14
    case .cut: 15
    case .faint: 16
    }
  }
}

/// The judge of what is heard, against a listener.
struct MixHearingTests {
  private static let mixes = 1_000

  @Test func `the floor is that of the listener`() {
    #expect(abs(Decibels.linear(fromDB: MixHearing.floorDB) - 1e-6) < 1e-9)
  }

  @Test func `in 1,000 random mixes a strip is called heard exactly if a listener hears it`() throws
  {
    var (heardCount, silentCount) = (0, 0)
    for mix in 0..<Self.mixes {
      let stage = Stage.numbered(mix)
      let heard = try stage.heard()
      for strip in stage.spec.strips {
        let silence = stage.silence(of: strip.id)
        #expect(
          (silence == nil) == heard.contains(strip.id),
          "mix \(mix), \(strip.id): \(String(describing: silence))",
        )
        if silence == nil { heardCount += 1 } else { silentCount += 1 }
      }
    }
    #expect(heardCount > 100 && silentCount > 300)
  }

  @Test func `ending the cause of a silence leads to sound, or to a cause that comes later`() throws
  {
    var ended = 0
    for mix in 0..<Self.mixes {
      let stage = Stage.numbered(mix)
      for strip in stage.spec.strips {
        guard let cause = stage.silence(of: strip.id) else { continue }
        var after = stage
        after.end(cause, of: strip.id)
        let next = after.silence(of: strip.id)
        // Where several strips are soloed, the next of them is the next cause.
        #expect(
          next.map { $0 != cause && $0.place >= cause.place } ?? true,
          "mix \(mix), \(strip.id): \(cause), then \(String(describing: next))",
        )
        #expect(
          try after.heard().contains(strip.id) == (next == nil),
          "mix \(mix), \(strip.id): \(cause), then \(String(describing: next))",
        )
        ended += 1
      }
    }
    #expect(ended > 300)
  }

  @Test func `causes that hold at once are told from the session's rule to the hardware's port`()
    throws
  {
    var deck = StripSpec(id: "deck", channels: 2, crossfaderSide: .a)
    deck.isGated = true
    deck.duckDB = -.infinity
    deck.isMuted = true
    deck.faderDB = -.infinity
    var main = RouteSpec(id: "main", channels: 2)
    main.isMuted = true
    main.gainDB = -.infinity
    let send = SendSpec(
      strip: "deck",
      route: "main",
      gainDB: -.infinity,
      isMuted: true,
      matrix: [[0, 0], [0, 0]],
    )
    var stage = Stage(
      spec: MixSpec(
        strips: [deck, StripSpec(id: "other", channels: 1, isSoloed: true)],
        routes: [main],
        sends: [send],
        crossfader: CrossfaderSpec(position: 1),
      ),
      outlets: ["main": RouteOutlet(isThere: false, cutChannels: [0, 1])],
    )
    let causes: [StripSilence] = [
      .gate, .duck, .mute, .sendMute(route: "main"), .sendGain(route: "main"),
      .channels(route: "main"), .fader, .crossfader, .solo(of: "other"),
      .routeMute(route: "main"), .routeGain(route: "main"), .away(route: "main"),
      .cut(route: "main", channels: [0, 1]), .faint(route: "main"),
    ]
    for cause in causes {
      #expect(stage.silence(of: "deck") == cause)
      #expect(try !stage.heard().contains("deck"))
      stage.end(cause, of: "deck")
    }
    #expect(stage.silence(of: "deck") == nil)
    #expect(try stage.heard().contains("deck"))
  }

  @Test func `a strip that is cued is heard on the cue route, whatever its sends do`() throws {
    var spec = MixSpec(
      strips: [StripSpec(id: "deck", channels: 2, isMuted: true, isCued: true)],
      routes: [RouteSpec(id: "main", channels: 2), RouteSpec(id: "phones", channels: 2)],
      sends: [SendSpec(strip: "deck", route: "main")],
    )
    spec.routes[1].receivesCue = true
    var stage = Stage(spec: spec)
    #expect(stage.silence(of: "deck") == nil)
    #expect(try stage.heard() == ["deck"])
    stage.spec.routes[1].cueGainDB = -.infinity
    #expect(stage.silence(of: "deck") == .mute)
    stage.spec.sends = []
    #expect(stage.silence(of: "deck") == .cueGain(route: "phones"))
    stage.spec.routes[1].cueGainDB = 0
    stage.outlets["phones"] = RouteOutlet(isThere: false)
    #expect(stage.silence(of: "deck") == .away(route: "phones"))
    stage.spec.strips[0].isCued = false
    #expect(stage.silence(of: "deck") == .noSend)
    #expect(stage.silence(of: "nobody") == .noStrip)
    #expect(try stage.heard() == [])
  }

  @Test func `only the channels with a share of a strip count as cut off`() throws {
    var spec = oneToOne(channels: 2)
    spec.sends[0].matrix = [[1, 1], [0, 0]]
    var stage = Stage(spec: spec, outlets: ["out": RouteOutlet(cutChannels: [1])])
    #expect(stage.silence(of: "in") == nil)
    #expect(try stage.heard() == ["in"])
    stage.outlets["out"] = RouteOutlet(cutChannels: [0])
    #expect(stage.silence(of: "in") == .cut(route: "out", channels: [0]))
    #expect(try stage.heard() == [])
  }
}
