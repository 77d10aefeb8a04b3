// SPDX-License-Identifier: MIT

import Glibc

/// Times of two bodies that run in turns, A B B A, so that other work of the machine slows both alike.
///
/// Pure value: [any-thread].
struct PairedTimes {
  /// Nanoseconds of each run of the first body.
  private(set) var first: [Double] = []
  /// Nanoseconds of each run of the second body.
  private(set) var second: [Double] = []
  /// The pairs in which the kernel took the processor away from this thread; they count like the others.
  private(set) var interrupted = 0

  /// Runs both bodies once.
  fileprivate mutating func add(_ pair: PairedComparison.Pair) throws(LabError) {
    let before = Self.interruptions
    if first.count.isMultiple(of: 2) {
      first.append(try Self.nanoseconds(pair.first))
      second.append(try Self.nanoseconds(pair.second))
    } else {
      second.append(try Self.nanoseconds(pair.second))
      first.append(try Self.nanoseconds(pair.first))
    }
    if Self.interruptions != before { interrupted += 1 }
  }

  private static func nanoseconds(_ body: () throws(LabError) -> Void) throws(LabError) -> Double {
    let start = ContinuousClock.now
    try body()
    return (ContinuousClock.now - start) / .nanoseconds(1)
  }

  /// Second ÷ first, of the pairs that took least time; nil with too few pairs.
  var ratio: RatioEstimate? { RatioEstimate(ofUndisturbed: second, to: first) }

  /// Median nanoseconds of either body in the pairs that took least time; nil without pairs.
  var undisturbed: (first: Double?, second: Double?) {
    let rounds = UndisturbedRounds(second, first)
    return (rounds.peer, rounds.own)
  }

  /// How often the kernel has taken the processor away from this thread.
  private static var interruptions: Int {
    var usage = rusage()
    // RUSAGE_THREAD of <bits/resource.h>, a GNU extension that Swift's module leaves out.
    unsafe getrusage(1, &usage)
    return usage.ru_nivcsw
  }
}

/// A comparison of two bodies, which are made anew for each pair, at other places of the memory.
///
/// How data of one size lie to each other changes a time by tens of percent on the same machine, as where a write and the next
/// read agree in the last twelve bits of their addresses; with one place for a whole run two runs would disagree by more than
/// their intervals.
///
/// Belongs to the control thread that measures.
struct PairedComparison {
  /// The two bodies of a pair.
  typealias Pair = (first: () throws(LabError) -> Void, second: () throws(LabError) -> Void)

  /// The times so far.
  private(set) var times = PairedTimes()

  private let repetition: Repetition
  private let make: (_ line: () -> Int) throws(LabError) -> Pair
  private var secondsSpent = 0.0

  /// Prepares a comparison.
  ///
  /// - Parameters:
  ///   - repetition: How long; a round is a pair, and its seconds are those of this comparison alone.
  ///   - make: Makes the two bodies of a pair, with data that begin at a random cache line, 0…63, of their memory.
  ///
  /// [any-thread]
  init(
    _ repetition: Repetition,
    make: @escaping (_ line: () -> Int) throws(LabError) -> Pair,
  ) {
    self.repetition = repetition
    self.make = make
  }

  /// Measures comparisons in turns, a pair of each and then the next pair of each, until each has an interval that is narrow
  /// enough, or has used up its time.
  ///
  /// A virtual machine's processor changes its speed from one second to the next, with the work on the other half of its core. An
  /// interval takes the pairs for independent of each other, which those of one second are not. In turns the pairs of a
  /// comparison lie all over the run, so that some of them have the core for themselves.
  ///
  /// - Parameter comparisons: The comparisons, whose ``times`` grow.
  /// - Throws: The error of the first pair that cannot be made or run.
  ///
  /// [control-thread]
  static func measure(_ comparisons: inout [PairedComparison]) throws(LabError) {
    var open = Array(comparisons.indices)
    while !open.isEmpty {
      for index in open { try comparisons[index].addPair() }
      open.removeAll { comparisons[$0].isDone }
    }
  }

  /// Measures this comparison alone.
  ///
  /// - Returns: Its times.
  /// - Throws: The error of the first pair that cannot be made or run.
  ///
  /// [control-thread]
  func measured() throws(LabError) -> PairedTimes {
    var one = [self]
    try Self.measure(&one)
    return one[0].times
  }

  private mutating func addPair() throws(LabError) {
    let start = ContinuousClock.now
    try times.add(make { Int.random(in: 0..<Self.linesOfPage) })
    secondsSpent += (ContinuousClock.now - start) / .seconds(1)
  }

  private var isDone: Bool {
    let rounds = times.first.count
    let isTimeUp = secondsSpent >= repetition.mostSeconds
    // The interval takes longer than a pair, so it is not computed after each.
    guard rounds >= repetition.leastRounds,
      isTimeUp || rounds.isMultiple(of: Self.pairsBetweenIntervals)
    else { return false }
    return repetition.isDone(rounds: rounds, seconds: secondsSpent, [times.ratio])
  }

  private static let pairsBetweenIntervals = 10
  /// The cache lines of 64 bytes in 4 KiB.
  private static let linesOfPage = 64
}

/// A figure of a record, which comes from a comparison.
struct PairedFigure {
  /// The comparison.
  var comparison: PairedComparison
  /// Writes into the record what the times say.
  let tell: (PairedTimes, inout BenchRecord) -> Void

  /// Measures all in turns, and writes them into the record.
  ///
  /// - Throws: The error of the first pair that cannot be made or run.
  ///
  /// [control-thread]
  static func measure(
    _ figures: [PairedFigure],
    into record: inout BenchRecord,
  ) throws(LabError) {
    var comparisons = figures.map(\.comparison)
    try PairedComparison.measure(&comparisons)
    for (figure, comparison) in zip(figures, comparisons) {
      figure.tell(comparison.times, &record)
    }
  }
}
