// SPDX-License-Identifier: MIT

/// A moment of a benchmark, for its progress callback.
///
/// A plain value: [any-thread].
public struct BenchProgress: Equatable, Sendable {
  /// The step that is running now, from 1.
  public var step: Int
  /// Number of steps.
  public var stepCount: Int
  /// A text of the step, such as `48000 Hz, 64 frames, synchronous`.
  public var label: String
  /// Share of the whole that is done, 0…1.
  public var fractionDone: Double
  /// Estimated seconds to the end; nil while unknown.
  public var secondsLeft: Double?

  /// Describes a moment of a benchmark.
  public init(
    step: Int,
    stepCount: Int,
    label: String,
    fractionDone: Double,
    secondsLeft: Double? = nil,
  ) {
    self.step = step
    self.stepCount = stepCount
    self.label = label
    self.fractionDone = fractionDone
    self.secondsLeft = secondsLeft
  }

  /// Describes the beginning of one of several equal rounds.
  ///
  /// - Parameters:
  ///   - round: The round, from 0.
  ///   - count: The number of rounds.
  ///   - label: A text of the rounds.
  public init(round: Int, of count: Int, label: String) {
    self.init(
      step: round + 1,
      stepCount: count,
      label: label,
      fractionDone: Double(round) / Double(count),
    )
  }

  /// Receives progress; called on the task that runs the benchmark, must not block.
  public typealias Handler = @Sendable (BenchProgress) -> Void
}
