// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Realtime
import Testing

@testable import Host
@testable import Mixing

/// The times at which levels are read, their subscribers, and the counts.
struct LevelRoomTests {
  private static func reading(_ peak: Float) -> MeterReading {
    MeterReading(peakLinear: peak, rmsLinear: peak / 2)
  }

  /// A deck and a voice; both taps are alike, and a strip with a level is heard.
  private static func levels(deck: Float, voice: Float = 0) -> MixMeters {
    func strip(_ id: String, _ peak: Float) -> MixMeters.Strip {
      MixMeters.Strip(
        id: id,
        pre: [reading(peak)],
        post: [reading(peak)],
        isHeard: peak > 0,
        tap: .post,
      )
    }
    return MixMeters(
      strips: [strip("deck", deck), strip("voice", voice)],
      routes: [MixMeters.Route(id: "main", channels: [reading(deck)])],
    )
  }

  @Test func `without subscribers levels are read once a second, for silence only`() async throws {
    let bench = try RoomBench()
    try await bench.run { _, surroundings in
      let room = LevelRoom(configuredIntervalNanoseconds: nil, control: surroundings.control)
      var reads = 0
      for _ in 1...60 {
        bench.advance(milliseconds: 50)
        let reading = room.read {
          reads += 1
          return Self.levels(deck: 0.5)
        }
        if let reading { #expect(reading.meters == nil && reading.heard == ["deck"]) }
      }
      #expect(reads == 3)
    }
  }

  @Test func `a strip is heard whatever its fader, and not for a level before it`() async throws {
    try await RoomBench().run { _, surroundings in
      let room = LevelRoom(configuredIntervalNanoseconds: nil, control: surroundings.control)
      var levels = Self.levels(deck: 0.5, voice: 0.5)
      // The deck plays for nobody, the voice on a cue route only.
      levels.strips[0].isHeard = false
      levels.strips[1].post = [Self.reading(0)]
      let reading = room.read { levels }
      #expect(reading?.heard == ["voice"])
    }
  }

  @Test func `subscribers have both taps of a strip, and the one to show`() async throws {
    try await RoomBench().run { _, surroundings in
      let room = LevelRoom(configuredIntervalNanoseconds: 1, control: surroundings.control)
      var levels = Self.levels(deck: 0.5, voice: 0.25)
      levels.strips[0].post = [Self.reading(0)]
      levels.strips[0].tap = .pre
      let meters = try #require(room.read { levels }?.meters)
      #expect(
        meters.strips == [
          StripLevels(
            id: "deck",
            peak: [0],
            rms: [0],
            prePeak: [0.5],
            preRMS: [0.25],
            tap: .pre
          ),
          StripLevels(
            id: "voice",
            peak: [0.25],
            rms: [0.125],
            prePeak: [0.25],
            preRMS: [0.125],
            tap: .post,
          ),
        ]
      )
    }
  }

  @Test func `subscribers have meters at the interval of the fastest`() async throws {
    let bench = try RoomBench()
    try await bench.run { _, surroundings in
      let room = LevelRoom(
        configuredIntervalNanoseconds: 500_000_000,
        control: surroundings.control,
      )
      room.subscriptionsChanged(SubscriptionDemand(metersIntervalMilliseconds: 100))
      var count = 0
      for _ in 1...20 {
        bench.advance(milliseconds: 50)
        guard let reading = room.read({ Self.levels(deck: 0.5) }) else { continue }
        count += 1
        #expect(reading.meters?.strips.map(\.id) == ["deck", "voice"])
        #expect(reading.meters?.strips.first?.peak == [0.5])
        #expect(reading.meters?.routes.first?.rms == [0.25])
      }
      #expect(count == 10)
    }
  }

  @Test func `when the last subscriber goes, the program that runs the host keeps its meters`()
    async throws
  {
    let bench = try RoomBench()
    try await bench.run { _, surroundings in
      let room = LevelRoom(
        configuredIntervalNanoseconds: 500_000_000,
        control: surroundings.control,
      )
      room.subscriptionsChanged(SubscriptionDemand(metersIntervalMilliseconds: 20))
      room.subscriptionsChanged(SubscriptionDemand())
      _ = room.read { Self.levels(deck: 1) }
      bench.advance(milliseconds: 450)
      #expect(room.read { Self.levels(deck: 1) } == nil)
      bench.advance(milliseconds: 50)
      #expect(room.read { Self.levels(deck: 1) }?.meters != nil)
    }
  }

  @Test(arguments: [(nil, 50), (20, 20), (99, 20), (100, 50), (1_000, 50)])
  func `the host looks more often only for fast meters`(interval: Int?, tick: Int) async throws {
    try await RoomBench().run { _, surroundings in
      let room = LevelRoom(configuredIntervalNanoseconds: nil, control: surroundings.control)
      #expect(!room.isWatched)
      room.subscriptionsChanged(SubscriptionDemand(metersIntervalMilliseconds: interval))
      #expect(room.isWatched == (interval != nil))
      #expect(room.tick == .milliseconds(tick))
    }
  }

  @Test func `samples that are no sound are told of at once, and then every 10 s`() async throws {
    let bench = try RoomBench()
    try await bench.run { _, surroundings in
      let room = LevelRoom(configuredIntervalNanoseconds: nil, control: surroundings.control)
      #expect(room.faultSentence(ofStrips: ["deck"]) == nil)
      var told: [UInt64] = []
      for second in 0..<25 {
        bench.advance(milliseconds: 1000)
        room.tell([.strip("deck"): InputFaults(silencedSamples: UInt64(second) + 1)])
        for case .inputFault(let fault) in surroundings.events.map(\.payload) {
          #expect(fault.strip == "deck" && fault.route == nil && fault.clampedSamples == 0)
          told.append(fault.silencedSamples)
        }
        _ = surroundings.takeMessages()
      }
      #expect(told == [1, 10, 10])
      #expect(room.faults(ofStrip: "deck")?.silencedSamples == 25)
      #expect(room.faults(ofStrip: "voice") == nil)
      #expect(room.faultSentence(ofStrips: ["deck"])?.contains("25 were silenced") == true)
      bench.advance(milliseconds: 60_000)
      #expect(room.faultSentence(ofStrips: ["deck"]) == nil)
    }
  }

  @Test func `a capture that is no sound is told of by its port, once for all of its gates`()
    async throws
  {
    let bench = try CaptureBench()
    for client in ["rec", "bad"] { await bench.capture(client) }
    await bench.act { bench in
      #expect(bench.gates.gates.count == 2)
      for (gate, count) in zip(bench.gates.gates, [UInt64(3), 12]) {
        bench.gates.faults[gate.id] = InputFaults(silencedSamples: count)
      }
      let faults = bench.room.inputFaults()
      #expect(faults == [.capture("system:capture_1"): InputFaults(silencedSamples: 12)])
    }
    let rooms = try RoomBench()
    try await rooms.run { _, surroundings in
      let room = LevelRoom(configuredIntervalNanoseconds: nil, control: surroundings.control)
      room.tell([.capture("system:capture_1"): InputFaults(silencedSamples: 12)])
      guard case .inputFault(let fault) = surroundings.events.first?.payload else {
        Issue.record("nothing is told")
        return
      }
      #expect(fault.capture == "system:capture_1" && fault.strip == nil && fault.route == nil)
      #expect(surroundings.takeMessages().first?.contains("that programs record") == true)
    }
  }

  @Test func `a new engine begins to count anew`() async throws {
    let bench = try RoomBench()
    try await bench.run { _, surroundings in
      let room = LevelRoom(configuredIntervalNanoseconds: nil, control: surroundings.control)
      room.tell([.route("pa"): InputFaults(clampedSamples: 100)])
      bench.advance(milliseconds: 11_000)
      room.tell([.route("pa"): InputFaults(clampedSamples: 3)])
      let faults = surroundings.events.compactMap { event -> UInt64? in
        guard case .inputFault(let fault) = event.payload else { return nil }
        return fault.clampedSamples
      }
      #expect(faults == [100, 3])
      #expect(surroundings.takeMessages().first?.contains("route 'pa'") == true)
    }
  }

  @Test(arguments: [
    (10_000_000, "the host's own callback took 10000 µs"), (100_000, "not the host"),
  ])
  func `a late cycle has a cause, is counted and published`(
    callbackNanoseconds: UInt64,
    cause: String,
  ) async throws {
    try await RoomBench().run { _, surroundings in
      let room = LevelRoom(configuredIntervalNanoseconds: nil, control: surroundings.control)
      for _ in 1...2 {
        room.countXrun(
          LevelRoom.LateCycle(
            delayMicroseconds: 1_234.5,
            frame: 4_800,
            callbackNanoseconds: callbackNanoseconds,
            loadPercent: 42,
            periodMicroseconds: 5_333,
          )
        )
      }
      #expect(room.engineStatus.xruns == 2)
      #expect(room.engineStatus.lastXrun?.cause?.hasPrefix(cause) == true)
      let event = try #require(surroundings.events.last)
      #expect(event.kind == .xrun && event.time.frame == 4_800)
      #expect(event.message.hasPrefix("xrun number 2, late by 1234 µs; \(cause)"))
    }
  }

  @Test func `callbacks of servers that are gone count on`() async throws {
    try await RoomBench().run { _, surroundings in
      let room = LevelRoom(configuredIntervalNanoseconds: nil, control: surroundings.control)
      room.add(cycles: 1_000)
      room.add(cycles: 500)
      #expect(room.engineStatus.cycles == 1_500)
      #expect(room.engineStatus.callbackMicroseconds == nil)
    }
  }

  @Test func `the uptime is that of the host's clock`() async throws {
    let bench = try RoomBench()
    try await bench.run { _, surroundings in
      let room = LevelRoom(configuredIntervalNanoseconds: nil, control: surroundings.control)
      room.begin()
      bench.advance(milliseconds: 2_500)
      #expect(room.uptimeSeconds == 2.5)
    }
  }
}
