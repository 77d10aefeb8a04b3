// SPDX-License-Identifier: MIT

import Glibc

/// Times of two bodies that run in turns, A B B A, so that other work of the machine slows both alike.
///
/// Both are made anew for each pair, at other places of the memory. How data of one size lie to each other changes a time by
/// tens of percent on the same machine, as where a write and the next read agree in the last twelve bits of their
/// addresses; with one place for a whole run two runs would disagree by more than their intervals.
///
/// Pure value: [any-thread].
struct PairedTimes {
  /// Nanoseconds of each run of the first body.
  private(set) var first: [Double] = []
  /// Nanoseconds of each run of the second body.
  private(set) var second: [Double] = []
  /// The pairs in which the kernel took the processor away from this thread; they count like the others.
  private(set) var interrupted = 0

  /// Runs both bodies in turns until the interval of their ratio is narrow enough, or time is up.
  ///
  /// - Parameters:
  ///   - repetition: How long; a round is a pair.
  ///   - make: Makes the two bodies of a pair, with data that begin at a random cache line, 0…63, of their memory.
  /// - Throws: The error of `make`.
  init<Failure: Error>(
    _ repetition: Repetition,
    make: (_ line: () -> Int) throws(Failure) -> (first: () -> Void, second: () -> Void),
  ) throws(Failure) {
    let clock = ContinuousClock()
    let start = clock.now
    repeat {
      let (first, second) = try make { Int.random(in: 0..<Self.linesOfPage) }
      let before = Self.interruptions
      if self.first.count.isMultiple(of: 2) {
        self.first.append(clock.measure(first) / .nanoseconds(1))
        self.second.append(clock.measure(second) / .nanoseconds(1))
      } else {
        self.second.append(clock.measure(second) / .nanoseconds(1))
        self.first.append(clock.measure(first) / .nanoseconds(1))
      }
      if Self.interruptions != before { interrupted += 1 }
      // The interval takes longer than a pair, so it is not computed after each.
    } while self.first.count < repetition.leastRounds
      || !self.first.count.isMultiple(of: Self.pairsBetweenIntervals)
        && (clock.now - start) / .seconds(1) < repetition.mostSeconds
      || !repetition.isDone(
        rounds: self.first.count,
        seconds: (clock.now - start) / .seconds(1),
        [ratio],
      )
  }

  /// Second ÷ first, pair by pair; nil with too few pairs.
  var ratio: RatioEstimate? { RatioEstimate(ofQuotients: zip(first, second).map { $1 / $0 }) }

  private static let pairsBetweenIntervals = 10
  /// The cache lines of 64 bytes in 4 KiB.
  private static let linesOfPage = 64

  /// How often the kernel has taken the processor away from this thread.
  private static var interruptions: Int {
    var usage = rusage()
    // RUSAGE_THREAD of <bits/resource.h>, a GNU extension that Swift's module leaves out.
    unsafe getrusage(1, &usage)
    return usage.ru_nivcsw
  }
}
