// SPDX-License-Identifier: MIT

import Foundation
import Mixing
import Testing

@Suite("Matrix")
struct MatrixTests {
  /// Renders constants, at 1/128 of their value because inputs are clamped, and returns the last frame of each output.
  private func settled(_ spec: MixSpec, _ inputs: [Float]) throws -> [Float] {
    var renderer = try OfflineRenderer(spec)
    return try renderer.render(inputs: inputs.map { constant($0 / 128, 8) }, frames: 8)
      .map { $0[7] * 128 }
  }

  private func isClose(_ first: [Float], _ second: [Float]) -> Bool {
    first.count == second.count && zip(first, second).allSatisfy { abs($0 - $1) <= 1e-6 }
  }

  /// Strip channels, route channels, inputs and the default outputs.
  static let defaults: [(Int, Int, [Float], [Float])] = [
    (1, 1, [1], [1]),
    (1, 2, [1], [1, 1]),
    (1, 4, [1], [1, 1, 1, 1]),
    (2, 2, [1, 2], [1, 2]),
    (2, 1, [1, 3], [2]),
    (4, 1, [1, 2, 3, 6], [3]),
    (2, 4, [1, 2], [1, 2, 0, 0]),
    (4, 2, [1, 2, 3, 4], [1, 2]),
    (3, 3, [1, 2, 3], [1, 2, 3]),
  ]

  @Test("the default matrix", arguments: defaults)
  func defaultMatrix(strip: Int, route: Int, inputs: [Float], outputs: [Float]) throws {
    var spec = oneToOne()
    spec.strips[0].channels = strip
    spec.routes[0].channels = route
    #expect(try settled(spec, inputs) == outputs)
  }

  @Test("a matrix of one's own, with a channel turned over")
  func ownMatrix() throws {
    var spec = oneToOne(channels: 2)
    spec.routes[0].channels = 3
    spec.sends[0].matrix = [[0.5, 0], [0.25, -1], [0, 0]]
    #expect(try settled(spec, [1, 2]) == [0.5, -1.75, 0])
  }

  @Test("gains of strip, send and route multiply")
  func gains() throws {
    var spec = oneToOne()
    spec.strips[0].faderDB = -6
    spec.sends[0].gainDB = -12
    spec.routes[0].gainDB = 24
    spec.strips[0].duckDB = -3
    #expect(try isClose(settled(spec, [1]), [Float(pow(10, 3.0 / 20))]))
    spec.sends[0].gainDB = -.infinity
    #expect(try settled(spec, [1]) == [0])
  }

  @Test("strips add up on a route, and go their own ways to others")
  func sums() throws {
    let spec = MixSpec(
      strips: (0..<3).map { StripSpec(id: "\($0)", channels: 1) },
      routes: ["a", "b"].map { RouteSpec(id: $0, channels: 1) },
      sends: [
        SendSpec(strip: "0", route: "a"),
        SendSpec(strip: "1", route: "a", gainDB: 20 * log10(2)),
        SendSpec(strip: "2", route: "b"),
      ],
    )
    #expect(try isClose(settled(spec, [1, 10, 100]), [21, 100]))
  }

  @Test(
    "a route sounds the same, bit by bit, whichever routes take the same inputs",
    arguments: 1...9
  )
  func alikeRoutes(routes: Int) throws {
    let strips = 5
    func spec(of places: Range<Int>) -> MixSpec {
      MixSpec(
        strips: (0..<strips).map { StripSpec(id: "\($0)", channels: 2) },
        routes: places.map { RouteSpec(id: "\($0)", channels: 2) },
        sends: places.flatMap { route in
          // Every third route takes other inputs, and the order of the sends differs.
          (0..<strips).filter { route % 3 != 2 || $0 != 1 }.map { strip in
            SendSpec(
              strip: "\(route.isMultiple(of: 2) ? strip : strips - 1 - strip)",
              route: "\(route)",
              gainDB: -Double(route + strip),
            )
          }
        },
      )
    }
    let inputs = (0..<2 * strips).map { noise(UInt64($0), 700) }
    let changes: [OfflineRenderer.Change] = [
      .init(atFrame: 100) { try $0.setFader(strip: "3", decibels: -20, fade: .frames(333)) }
    ]
    func rendered(_ places: Range<Int>) throws -> [[Float]] {
      var renderer = try OfflineRenderer(spec(of: places), blockFrames: 100)
      return try renderer.render(inputs: inputs, frames: 700, changes: changes)
    }
    let together = try rendered(0..<routes)
    for route in 0..<routes {
      #expect(try rendered(route..<route + 1) == Array(together[2 * route...2 * route + 1]))
    }
  }

  @Test("many inputs in every length of block add up as in double precision")
  func manyInputs() throws {
    for (strips, frames) in [(1, 3), (2, 15), (5, 16), (9, 63), (33, 100), (70, 257), (4, 1024)] {
      let inputs = (0..<strips).map { noise(UInt64($0), frames) }
      let spec = MixSpec(
        strips: (0..<strips).map { StripSpec(id: "\($0)", channels: 1) },
        routes: [RouteSpec(id: "out", channels: 1)],
        sends: (0..<strips).map { SendSpec(strip: "\($0)", route: "out", gainDB: -Double($0) / 4) },
      )
      var renderer = try OfflineRenderer(spec, blockFrames: frames)
      let output = try renderer.render(inputs: inputs, frames: frames)[0]
      for frame in 0..<frames {
        var expected = 0.0
        for strip in 0..<strips {
          expected += Double(inputs[strip][frame]) * pow(10, -Double(strip) / 80)
        }
        #expect(abs(Double(output[frame]) - expected) < 1e-5)
      }
    }
  }

  @Test("one send at 0 dB leaves every bit alone")
  func bitExact() throws {
    var input = noise(3, 4000)
    input[17] = -0.0
    input[18] = Float.leastNonzeroMagnitude
    input[19] = -Float.leastNormalMagnitude / 2
    var renderer = try OfflineRenderer(oneToOne(), blockFrames: 100)
    let output = try renderer.render(inputs: [input], frames: 4000)[0]
    #expect(output.map(\.bitPattern) == input.map(\.bitPattern))
  }

  // MARK: Laws

  @Test("pan has equal power, balance leaves the middle alone")
  func pan() throws {
    var mono = oneToOne()
    mono.routes[0].channels = 2
    var stereo = oneToOne(channels: 2)
    for pan in stride(from: -1.0, through: 1, by: 0.125) {
      mono.strips[0].pan = pan
      stereo.strips[0].pan = pan
      let panned = try settled(mono, [1])
      #expect(abs(panned[0] * panned[0] + panned[1] * panned[1] - 1) < 1e-6)
      let balanced = try settled(stereo, [1, 1])
      #expect(max(balanced[0], balanced[1]) == 1)
    }
    mono.strips[0].pan = 0
    #expect(try isClose(settled(mono, [1]), [Float(0.5.squareRoot()), Float(0.5.squareRoot())]))
    mono.strips[0].pan = -1
    #expect(try settled(mono, [1]) == [1, 0])
    stereo.strips[0].pan = 0
    #expect(try isClose(settled(stereo, [1, 2]), [1, 2]))
    stereo.strips[0].pan = 1
    #expect(try settled(stereo, [1, 2]) == [0, 2])
  }

  @Test("pan is for mono and stereo strips on stereo routes alone", arguments: 1...4, 1...4)
  func panElsewhere(strip: Int, route: Int) throws {
    var spec = oneToOne()
    spec.strips[0].channels = strip
    spec.routes[0].channels = route
    let inputs = (1...strip).map { Float($0) }
    let plain = try settled(spec, inputs)
    spec.strips[0].pan = -0.5
    let panned = try settled(spec, inputs)
    #expect((panned != plain) == (strip <= 2 && route == 2))
    spec.strips[0].pan = nil
    spec.sends[0].pan = -0.5
    #expect(try settled(spec, inputs) == panned)
    spec.sends[0].matrix = SendSpec.defaultMatrix(stripChannels: strip, routeChannels: route)
    #expect(try settled(spec, inputs) == plain)
  }

  @Test("the crossfader's laws", arguments: CrossfaderSpec.Curve.allCases)
  func crossfader(curve: CrossfaderSpec.Curve) throws {
    for position in stride(from: -1.0, through: 1, by: 0.125) {
      let spec = CrossfaderSpec(position: position, curve: curve)
      let a = spec.gainLinear(side: .a)
      let b = spec.gainLinear(side: .b)
      #expect(spec.gainLinear(side: .none) == 1)
      switch curve {
      case .linear: #expect(abs(a + b - 1) < 1e-6)
      case .equalPower: #expect(abs(a * a + b * b - 1) < 1e-6)
      case .fullCenter: #expect(max(a, b) == 1)
      case .cut: #expect(abs(position) == 1 || (a == 1 && b == 1))
      }
      if position == -1 { #expect(a == 1 && b == 0) }
      if position == 1 { #expect(a == 0 && b == 1) }
    }
  }

  @Test("the crossfader moves only its sides")
  func crossfaderInTheMix() throws {
    var spec = MixSpec(
      strips: [
        StripSpec(id: "a", channels: 1, crossfaderSide: .a),
        StripSpec(id: "b", channels: 1, crossfaderSide: .b),
        StripSpec(id: "c", channels: 1),
      ],
      routes: [RouteSpec(id: "out", channels: 1)],
      sends: ["a", "b", "c"].map { SendSpec(strip: $0, route: "out") },
    )
    spec.crossfader = CrossfaderSpec(position: -1, curve: .linear)
    #expect(try settled(spec, [1, 10, 100]) == [101])
    spec.crossfader.position = 1
    #expect(try settled(spec, [1, 10, 100]) == [110])
  }
}
