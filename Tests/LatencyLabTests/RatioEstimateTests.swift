// SPDX-License-Identifier: MIT

import Glibc
import TestSupport
import Testing

@testable import LatencyLab

@Suite struct RatioEstimateTests {
  @Test func `too few rounds have no interval`() {
    #expect(RatioEstimate(of: [1, 1, 1, 1], to: [1, 1, 1, 1]) == nil)
    #expect(RatioEstimate(of: [1, 1, 1, 1, 1], to: [1, 1, 1, 1, 1])?.rounds == 5)
    #expect(RatioEstimate(ofQuotients: [1, 1, 1, 1]) == nil)
  }

  @Test func `a cost that is lost in the noise has no figure`() throws {
    let noise = [-3.0, 2, -1, 3, -2, 1, -3, 2]
    let estimate = try #require(RatioEstimate(of: noise, to: Array(repeating: 10, count: 8)))
    #expect(estimate.lower < 0 && estimate.upper > 0)
    #expect(!estimate.isMeasurable)
  }

  @Test func `a peer that is lost in the noise has no upper end`() throws {
    let noise = [-3.0, 2, -1, 3, -2, 1, -3, 2]
    let estimate = try #require(RatioEstimate(of: Array(repeating: 10, count: 8), to: noise))
    #expect(estimate.upper == .infinity)
    #expect(!estimate.isMeasurable && !estimate.isWithin(10))
  }

  /// Other work of the machine is in both readings, and does not widen the interval of the quotients.
  @Test func `a slow round slows both`() throws {
    let slowness = (0..<20).map { Double(1 + $0 % 7) }
    let estimate = try #require(RatioEstimate(ofQuotients: slowness.map { 3 * $0 / (2 * $0) }))
    #expect(estimate.ratio == 1.5 && estimate.lower == 1.5 && estimate.upper == 1.5)
    #expect(estimate.isWithin(0.001))
  }

  @Test func `an inverted ratio has its ends exchanged`() throws {
    let estimate = try #require(RatioEstimate(ofQuotients: [2, 2.5, 2, 4, 2, 2.5, 2, 4]))
    let inverted = try #require(estimate.inverted(times: 10))
    #expect(inverted.ratio == 10 / estimate.ratio)
    #expect(inverted.lower == 10 / estimate.upper && inverted.upper == 10 / estimate.lower)
  }

  /// A 95 % interval holds the true ratio in about 19 of 20 experiments, though both costs are small beside the noise.
  @Test func `intervals hold the truth as often as they claim`() async throws {
    var random = TestRandom(5)
    var covered = 0
    for experiment in 0..<40 {
      await Task.yield()
      let peer = (0..<31).map { _ in 20 + random.normal() }
      let own = (0..<31).map { _ in 5 + random.normal() }
      let estimate = try #require(RatioEstimate(of: own, to: peer, seed: UInt64(experiment)))
      if estimate.lower <= 0.25, estimate.upper >= 0.25 { covered += 1 }
    }
    #expect((34...40).contains(covered), "\(covered) of 40")
  }

  @Test func `a measurement ends when it is narrow enough, or when its time is up`() throws {
    let repetition = Repetition(leastRounds: 5, mostSeconds: 10, precision: 0.1)
    let narrow = RatioEstimate(ofQuotients: [2, 2, 2, 2, 2])
    let wide = RatioEstimate(ofQuotients: [1, 2, 3, 4, 5])
    #expect(!repetition.isDone(rounds: 4, seconds: 99, [narrow]))
    #expect(repetition.isDone(rounds: 5, seconds: 1, [narrow]))
    #expect(!repetition.isDone(rounds: 5, seconds: 1, [narrow, wide]))
    #expect(!repetition.isDone(rounds: 5, seconds: 1, [nil]))
    #expect(repetition.isDone(rounds: 5, seconds: 10, [wide]))
  }

  @Test func `of programs that compute the rounds that took least time count`() throws {
    // A quarter of the rounds is undisturbed; other work slows one of the two more, and takes the other half of the time.
    var random = SeededGenerator(seed: 3)
    func noise() -> Double { Double.random(in: 1...1.02, using: &random) }
    let rounds = (0..<80).map { round in
      let slower = round % 4 == 0 ? (1.0, 1.0) : (Double.random(in: 1.2...2, using: &random), 2.2)
      return (own: 200 * noise() * slower.0, peer: 100 * noise() * slower.1)
    }
    let (own, peer) = (rounds.map(\.own), rounds.map(\.peer))
    let undisturbed = try #require(RatioEstimate(ofUndisturbed: own, to: peer))
    #expect(abs(undisturbed.ratio - 2) < 0.04)
    #expect(undisturbed.lower > 1.9 && undisturbed.upper < 2.1)
    #expect(undisturbed.rounds == 80)
    let times = UndisturbedRounds(own, peer)
    let (ownTime, peerTime) = (try #require(times.own), try #require(times.peer))
    #expect((200...204).contains(ownTime) && (100...102).contains(peerTime))
    let median = try #require(RatioEstimate(ofQuotients: zip(own, peer).map { $0 / $1 }))
    #expect(median.upper < 1.9)
    #expect(RatioEstimate(ofUndisturbed: [1, 1, 1, 1], to: [1, 1, 1, 1]) == nil)
  }

  @Test func `pairs run A B B A, each with bodies of its own`() throws {
    var order = ""
    var lines: Set<Int> = []
    let repetition = Repetition(leastRounds: 6, mostSeconds: 0)
    let times = try PairedComparison(repetition) { line in
      for _ in 0..<100 { lines.insert(line()) }
      order += "-"
      return (first: { order += "A" }, second: { order += "B" })
    }.measured()
    // The data of each pair may lie at any cache line of a page.
    #expect(order == "-AB-BA-AB-BA-AB-BA")
    #expect(lines.count > 32 && lines.isSubset(of: Set(0..<64)))
    #expect(times.first.count == 6 && times.second.count == 6)
  }

  @Test func `comparisons take turns, and each ends when its own pairs are enough`() throws {
    var order = ""
    func comparison(_ name: String, rounds: Int, seconds: Double = 0) -> PairedComparison {
      let repetition = Repetition(leastRounds: rounds, mostSeconds: seconds, precision: 0.01)
      return PairedComparison(repetition) { _ in
        order += name
        // The sleeps are what is compared.
        return (first: { usleep(1000) }, second: { usleep(1000) })
      }
    }
    var both = [comparison("a", rounds: 2), comparison("b", rounds: 5)]
    try PairedComparison.measure(&both)
    #expect(order == "ababbbb")
    #expect(both.map(\.times.first.count) == [2, 5])

    // The seconds of a comparison are its own: beside one that takes long it has as many pairs as alone.
    order = ""
    var slow = [
      comparison("a", rounds: 1, seconds: 0.5),
      PairedComparison(Repetition(leastRounds: 1, mostSeconds: 0)) { _ in
        // Longer than the seconds of the other one.
        (first: { usleep(600_000) }, second: {})
      },
    ]
    try PairedComparison.measure(&slow)
    #expect(slow[0].times.first.count > 1)
  }

  @Test func `a record tells the noise in place of a figure`() {
    var record = BenchRecord(
      benchmark: "mix",
      subject: "a",
      configuration: .init(sampleRateHz: 48_000, bufferFrames: 64),
    )
    record.tell("mix.a.ratio", RatioEstimate(ofQuotients: [2, 2, 2, 2, 2]))
    record.tell("mix.b.ratio", RatioEstimate(of: [-1, 1, -1, 1, 1], to: [9, 9, 9, 9, 9]))
    #expect(record.metrics["mix.a.ratio"] == 2)
    #expect(record.interval(of: "mix.a.ratio") == 2...2)
    #expect(record.metrics["mix.b.ratio"] == nil)
    #expect(record.notes.contains { $0.hasPrefix("mix.b.ratio: not measurable here: noise of") })
  }

  @Test func `a round with an xrun is marked, and told`() {
    var late = LateRounds()
    late.begin(xruns: 3)
    late.end(xruns: 3)
    late.begin(xruns: 3)
    late.end(xruns: 4)
    #expect(late.rounds == 2 && late.late >= 1)
  }

  @Test func `callgrind's sum is read`() {
    let text = "==7== \n==7== Events    : Ir\n==7== Collected : 123456\n==7== \n"
    #expect(InstructionCount.collected(text) == 123_456)
    #expect(InstructionCount.collected("valgrind: failed") == nil)
  }

  @Test func `readings of two runs are drawn on their own`() throws {
    // Each reading is twice the peer's of the same place, which says nothing where the runs came one after the other.
    let peer = (1...40).map { Double($0) }
    let own = peer.map { 2 * $0 }
    let paired = try #require(RatioEstimate(of: own, to: peer))
    let unpaired = try #require(RatioEstimate(ofUnpaired: own, to: peer))
    #expect(paired.noise == 0 && paired.ratio == 2)
    #expect(unpaired.ratio == 2 && unpaired.rounds == 40)
    #expect(unpaired.lower < 1.7 && unpaired.upper > 2.3)
    // The runs may differ in length.
    #expect(RatioEstimate(ofUnpaired: own, to: Array(peer.prefix(5)))?.rounds == 5)
    #expect(RatioEstimate(ofUnpaired: own, to: Array(peer.prefix(4))) == nil)
    #expect(
      RatioEstimate(ofUnpaired: own, to: Array(repeating: 0, count: 40))?.isMeasurable != true
    )
  }
}
