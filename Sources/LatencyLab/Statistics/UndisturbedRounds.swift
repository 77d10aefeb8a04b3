// SPDX-License-Identifier: MIT

/// The rounds of two programs that only compute, the shortest first.
///
/// Other work can only make a round longer, and on the other half of a core it slows one program more than the other. The rounds
/// that took least time had the processor for themselves. A round's time is the sum of its two, each over the median of its
/// kind, so neither of them decides alone which rounds count.
///
/// A plain value: [any-thread].
struct UndisturbedRounds {
  /// The times of each round, of the program itself and of the other one.
  let times: [(own: Double, peer: Double)]

  /// Sorts rounds.
  ///
  /// - Parameters:
  ///   - own: The time of each round, above 0.
  ///   - peer: The other program's time in the same round, likewise.
  init(_ own: [Double], _ peer: [Double]) {
    let (ownMedian, peerMedian) = (own.median ?? .nan, peer.median ?? .nan)
    times = zip(own, peer).map { (time: $0 / ownMedian + $1 / peerMedian, both: ($0, $1)) }
      .sorted { $0.time < $1.time }
      .map(\.both)
  }

  /// The number of rounds that count as undisturbed: a tenth, and three at least.
  var count: Int { min(times.count, max(Self.fewest, times.count / 10)) }

  /// The median of the program's undisturbed times; nil without rounds.
  var own: Double? { times.prefix(count).map(\.own).median }
  /// The same of the other program.
  var peer: Double? { times.prefix(count).map(\.peer).median }

  private static let fewest = 3
}
