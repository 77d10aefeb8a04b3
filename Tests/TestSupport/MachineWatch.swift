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

/// Measures again until a figure is within its bound.
///
/// A busy machine only adds to a time or a silence; a program that is too slow is so in each round.
///
/// - Parameters:
///   - what: The figure in words, for the failure.
///   - bound: The largest value that is right.
///   - rounds: How often to try. Expectations that hold on any machine belong in `figure`, and count in each round.
///   - figure: Measures once.
/// - Throws: The error of `figure`; ``TestFailure`` with all figures where none is within the bound.
public func remeasure<Value: Comparable>(
  _ what: String,
  atMost bound: Value,
  rounds: Int = 4,
  _ figure: () async throws -> Value,
) async throws {
  var figures: [Value] = []
  while figures.last.map({ $0 > bound }) ?? true {
    guard figures.count < rounds else {
      throw TestFailure("\(what): \(figures), and not once at most \(bound)")
    }
    try await figures.append(figure())
  }
}

/// Says that this machine made a statement of the test impossible.
///
/// - Parameter why: The statement, and the reason.
public func inconclusive(_ why: String) { announce("inconclusive", why) }

/// Writes a line about the running test that `scripts/test` counts.
///
/// - Parameters:
///   - what: Its first word.
///   - why: The rest.
public func announce(_ what: String, _ why: String) {
  let name = Test.current.map { $0.displayName ?? $0.name } ?? "a test"
  let text = why.split(whereSeparator: \.isNewline).joined(separator: " ")
  // In one piece, so that no other output comes between.
  let line = Array("\(what): \(text) [\(name)]\n".utf8)
  _ = unsafe line.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
