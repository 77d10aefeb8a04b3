// SPDX-License-Identifier: MIT

/// How far a benchmark has come, handed to its progress callback.
public struct BenchProgress: Equatable, Sendable {
  /// The step that is running now, from 1.
  public var step: Int
  /// How many steps there are.
  public var stepCount: Int
  /// What the step does, such as `48000 Hz, 64 frames, synchronous`.
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

  /// Receives progress; called on the task that runs the benchmark, must not block.
  public typealias Handler = @Sendable (BenchProgress) -> Void
}
