// SPDX-License-Identifier: MIT

internal import Foundation
internal import Glibc
internal import Synchronization
internal import Testing

/// Measures how late this machine wakes up a thread outside the program under test.
///
/// A figure that was taken while the machine was late by milliseconds is meaningless for the program.
public final class MachineWatch: Sendable {
  /// A sleep of one millisecond that takes so long puts a period of 256 frames at risk.
  private static let late = Duration.milliseconds(4)

  private let longestNanoseconds = Atomic<UInt64>(0)

  /// Starts to watch, until the last reference to the watch is gone.
  public init() {
    let thread = Thread { [weak self] in
      while let self { self.sleepOnce() }
    }
    thread.start()
  }

  private func sleepOnce() {
    let start = ContinuousClock.now
    // The sleep is the measurement.
    usleep(1000)
    let taken = (ContinuousClock.now - start) / .nanoseconds(1)
    longestNanoseconds.max(UInt64(taken), ordering: .relaxed)
  }

  /// Forgets how late the machine was so far.
  public func restart() { longestNanoseconds.store(0, ordering: .relaxed) }

  /// Whether the machine was late since the start or the last ``restart()``.
  public var wasLate: Bool {
    longestNanoseconds.load(ordering: .relaxed) > UInt64(Self.late / .nanoseconds(1))
  }
}

/// Measures again and again until the machine was in time during a measurement.
///
/// Expectations that hold on any machine belong in `measure`, and count in every round. The caller judges the
/// one value that is returned. Where no round was in time the test is inconclusive, and `scripts/test` fails
/// when too many are.
///
/// - Parameters:
///   - what: The figure in words, for the output.
///   - rounds: How often to try.
///   - measure: Measures once; may call ``MachineWatch/restart()`` where the measured time begins. Nil where the
///     program under test gave no figure, which only a late machine excuses.
/// - Returns: The value of the first round during which the machine was in time; nil without one.
/// - Throws: The error of `measure`; ``TestFailure`` for nil on a machine that was in time.
public func measuredInTime<Value>(
  _ what: String,
  rounds: Int = 4,
  _ measure: (MachineWatch) async throws -> Value?,
) async throws -> Value? {
  let watch = MachineWatch()
  for _ in 1...rounds {
    watch.restart()
    let value = try await measure(watch)
    if watch.wasLate { continue }
    guard let value else { throw TestFailure("\(what): none, though the machine was in time") }
    return value
  }
  inconclusive("\(what): the machine was late in each of \(rounds) rounds")
  return nil
}

/// Says that this machine made a statement of the test impossible.
///
/// - Parameter why: The statement, and the reason.
public func inconclusive(_ why: String) {
  let name = Test.current.map { $0.displayName ?? $0.name } ?? "a test"
  // In one piece, so that no other output comes between.
  let line = Array("inconclusive: \(why) [\(name)]\n".utf8)
  _ = unsafe line.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
