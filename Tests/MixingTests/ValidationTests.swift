// SPDX-License-Identifier: MIT

import Mixing
import Testing

@Suite("Validation")
struct ValidationTests {
  /// An edit that makes a valid spec invalid, and the error that it gives.
  struct Fault: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var code: MixError.Code
    var edit: @Sendable (inout MixSpec) -> Void
  }

  static let faults: [Fault] = [
    Fault(testDescription: "fader", code: .valueOutOfRange) { $0.strips[0].faderDB = 24.1 },
    Fault(testDescription: "fader nan", code: .valueOutOfRange) { $0.strips[0].faderDB = .nan },
    Fault(testDescription: "duck", code: .valueOutOfRange) { $0.strips[0].duckDB = .infinity },
    Fault(testDescription: "pan", code: .valueOutOfRange) { $0.strips[0].pan = 1.5 },
    Fault(testDescription: "channels", code: .valueOutOfRange) { $0.strips[0].channels = 0 },
    Fault(testDescription: "route channels", code: .valueOutOfRange) { $0.routes[0].channels = -1 },
    Fault(testDescription: "route gain", code: .valueOutOfRange) { $0.routes[0].gainDB = 99 },
    Fault(testDescription: "cue gain", code: .valueOutOfRange) { $0.routes[0].cueGainDB = .nan },
    Fault(testDescription: "send gain", code: .valueOutOfRange) { $0.sends[0].gainDB = 30 },
    Fault(testDescription: "send pan", code: .valueOutOfRange) { $0.sends[0].pan = -1.1 },
    Fault(testDescription: "delay", code: .valueOutOfRange) { $0.routes[0].delayFrames = -1 },
    Fault(testDescription: "delay too long", code: .valueOutOfRange) {
      $0.routes[0].delayFrames = 5_000_001
    },
    Fault(testDescription: "too many channels", code: .valueOutOfRange) {
      $0.strips[0].channels = MixSpec.maximumChannels + 1
    },
    Fault(testDescription: "crossfader", code: .valueOutOfRange) { $0.crossfader.position = -2 },
    Fault(testDescription: "ceiling", code: .valueOutOfRange) {
      $0.routes[0].limiter = LimiterSpec(ceilingDB: -.infinity)
    },
    Fault(testDescription: "release", code: .valueOutOfRange) {
      $0.routes[0].limiter = LimiterSpec(releaseSeconds: 0)
    },
    Fault(testDescription: "look-ahead", code: .valueOutOfRange) {
      $0.routes[0].limiter = LimiterSpec(lookaheadFrames: -1)
    },
    Fault(testDescription: "matrix rows", code: .matrixShape) { $0.sends[0].matrix = [[1], [1]] },
    Fault(testDescription: "matrix columns", code: .matrixShape) { $0.sends[0].matrix = [[1, 1]] },
    Fault(testDescription: "matrix value", code: .valueOutOfRange) {
      $0.sends[0].matrix = [[.nan]]
    },
    Fault(testDescription: "strip twice", code: .duplicate) { $0.strips.append($0.strips[0]) },
    Fault(testDescription: "route twice", code: .duplicate) { $0.routes.append($0.routes[0]) },
    Fault(testDescription: "send twice", code: .duplicate) { $0.sends.append($0.sends[0]) },
    Fault(testDescription: "strip unknown", code: .unknownStrip) { $0.sends[0].strip = "x" },
    Fault(testDescription: "route unknown", code: .unknownRoute) { $0.sends[0].route = "x" },
    Fault(testDescription: "fallback unknown", code: .unknownRoute) { $0.routes[0].fallback = "x" },
    Fault(testDescription: "fallback on itself", code: .fallbackChain) {
      $0.routes[0].fallback = "out"
    },
    Fault(testDescription: "fallback on a fallback", code: .fallbackChain) {
      $0.routes[0].fallback = "second"
      $0.routes.append(RouteSpec(id: "second", channels: 1, fallback: "third"))
      $0.routes.append(RouteSpec(id: "third", channels: 1))
    },
  ]

  @Test("refuses values that are not allowed, with a message", arguments: faults)
  func refused(fault: Fault) throws {
    var spec = oneToOne()
    fault.edit(&spec)
    let error = #expect(throws: MixError.self) { try spec.validate() }
    #expect(error?.code == fault.code)
    let engine = try MixEngine(oneToOne(), configuration: .init(sampleRateHz: 48_000))
    #expect(throws: MixError.self) { try engine.apply(spec) }
    #expect(engine.spec == oneToOne())
  }

  /// An edit that takes a value to the end of what is allowed.
  static let ends: [@Sendable (inout MixSpec) -> Void] = [
    { $0.strips[0].faderDB = 24 }, { $0.strips[0].faderDB = -.infinity },
    { $0.strips[0].duckDB = 24 }, { $0.strips[0].pan = -1 }, { $0.strips[0].pan = 1 },
    {
      $0.strips[0].channels = MixSpec.maximumChannels
      $0.routes[0].channels = MixSpec.maximumChannels
    },
    { $0.routes[0].gainDB = 24 }, { $0.routes[0].cueGainDB = 24 }, { $0.sends[0].gainDB = 24 },
    { $0.sends[0].pan = -1 }, { $0.sends[0].pan = 1 }, { $0.sends[0].matrix = [[16]] },
    { $0.sends[0].matrix = [[-16]] }, { $0.crossfader.position = -1 },
    { $0.crossfader.position = 1 }, { $0.routes[0].delayFrames = 5_000_000 },
    { $0.routes.append(RouteSpec(id: "second", channels: 3, fallback: "out")) },
    { $0.routes[0].limiter = LimiterSpec(ceilingDB: -60, releaseSeconds: 10) },
    {
      $0.routes[0].limiter = LimiterSpec(
        ceilingDB: 24,
        releaseSeconds: 0.001,
        lookaheadFrames: 8192,
      )
    },
  ]

  @Test("accepts the ends of what is allowed", arguments: ends.indices)
  func allowed(index: Int) throws {
    var spec = oneToOne()
    Self.ends[index](&spec)
    #expect(spec != oneToOne())
    try spec.validate()
  }

  @Test("setters refuse the same")
  func setters() throws {
    let engine = try MixEngine(oneToOne(), configuration: .init(sampleRateHz: 48_000))
    let unknown = #expect(throws: MixError.self) { try engine.setFader(strip: "x", decibels: 0) }
    #expect(unknown?.description == "strip 'x': there is none of that name in the mix")
    #expect(throws: MixError.self) { try engine.setFader(strip: "in", decibels: 25) }
    #expect(throws: MixError.self) { try engine.setDuck(strip: "in", decibels: .nan) }
    #expect(throws: MixError.self) { try engine.setPan(strip: "in", pan: 2) }
    #expect(throws: MixError.self) { try engine.setSend(strip: "in", route: "x", decibels: 0) }
    #expect(throws: MixError.self) { try engine.setRouteGain(route: "out", decibels: 40) }
    #expect(throws: MixError.self) { try engine.setCrossfader(position: .nan) }
    #expect(throws: MixError.self) {
      try engine.setLimiter(route: "out", limiter: LimiterSpec(releaseSeconds: .nan))
    }
    #expect(engine.spec == oneToOne())
  }

  @Test("setters accept the ends of what is allowed")
  func setterEnds() throws {
    let engine = try MixEngine(oneToOne(), configuration: .init(sampleRateHz: 48_000))
    for end in [-1.0, 1] {
      try engine.setPan(strip: "in", pan: end)
      try engine.setCrossfader(position: end)
      #expect(engine.spec.strips[0].pan == end && engine.spec.crossfader.position == end)
    }
    for end in [-Double.infinity, 24] {
      try engine.setFader(strip: "in", decibels: end)
      try engine.setDuck(strip: "in", decibels: end)
      try engine.setRouteGain(route: "out", decibels: end)
      try engine.setSend(strip: "in", route: "out", decibels: end)
      #expect(engine.spec.strips[0].faderDB == end && engine.spec.strips[0].duckDB == end)
      #expect(engine.spec.routes[0].gainDB == end && engine.spec.sends[0].gainDB == end)
    }
  }

  @Test("a sample rate must be one")
  func sampleRate() {
    #expect(throws: MixError.self) {
      try MixEngine(oneToOne(), configuration: .init(sampleRateHz: 0))
    }
  }
}
