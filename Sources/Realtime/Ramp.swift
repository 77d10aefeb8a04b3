// SPDX-License-Identifier: MIT

/// A gain that moves from one value to another.
///
/// The value is a closed function of the elapsed frames, so it does not drift and the end is exact: the
/// frame at which a ramp of N frames begins still has the old value, the frame N later has the target. In between it
/// never goes back, nor beyond an end.
public struct Ramp: BitwiseCopyable, Sendable {
  /// The curve of the movement.
  public enum Shape: UInt8, BitwiseCopyable, Sendable {
    /// In equal steps of amplitude.
    case linear
    /// In equal steps of decibels; silence counts as −100 dB during the ramp and is exact at its end.
    case exponential
  }

  /// The value at the first frame, linear.
  public private(set) var start: Float
  /// The value from the last frame on, linear.
  public private(set) var target: Float
  /// Frames from start to target; 0 once the ramp is done.
  public private(set) var totalFrames: UInt32
  /// Frames gone by.
  public private(set) var elapsedFrames: UInt32
  /// The curve of the movement.
  public private(set) var shape: Shape
  private var startLog2: Float
  private var spanLog2: Float

  /// The gain that exponential ramps use for silence: −100 dB.
  static let floorLinear: Float = 1e-5

  /// Makes a ramp that rests at `value`.
  ///
  /// [any-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  public init(restingAt value: Float) {
    start = value
    target = value
    totalFrames = 0
    elapsedFrames = 0
    shape = .linear
    startLog2 = 0
    spanLog2 = 0
  }

  /// Frames until the target is reached.
  ///
  /// [any-thread] never waits, never allocates.
  public var remainingFrames: UInt32 {
    @_noLocks @_noAllocation
    get { totalFrames - elapsedFrames }
  }

  /// The value at the present frame, linear.
  ///
  /// [any-thread] never waits, never allocates.
  public var value: Float {
    @_noLocks @_noAllocation
    get { value(afterFrames: 0) }
  }

  /// Heads for a new target from wherever the ramp is.
  ///
  /// - Parameters:
  ///   - target: The value to reach, linear.
  ///   - frames: Frames to take; 0 is a step.
  ///   - shape: The shape of the ramp.
  ///
  /// [any-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  public mutating func retarget(to target: Float, frames: UInt32, shape: Shape) {
    start = value
    self.target = target
    totalFrames = frames
    elapsedFrames = 0
    // Logarithms know no sign: a coefficient that changes it goes straight.
    self.shape = start < 0 || target < 0 ? .linear : shape
    if self.shape == .exponential {
      startLog2 = fastLog2(max(start, Self.floorLinear))
      spanLog2 = fastLog2(max(target, Self.floorLinear)) - startLog2
    }
  }

  /// Lets time pass.
  ///
  /// - Parameter frames: Frames gone by; more than remain is the same as all that remain.
  ///
  /// [any-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  public mutating func advance(frames: UInt32) {
    elapsedFrames += min(frames, remainingFrames)
    if elapsedFrames == totalFrames {
      start = target
      totalFrames = 0
      elapsedFrames = 0
    }
  }

  /// The value some frames from now, linear.
  ///
  /// - Parameter frames: Frames to look ahead.
  /// - Returns: The target, exactly, from the end of the ramp on.
  ///
  /// [any-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  public func value(afterFrames frames: UInt32) -> Float {
    if frames >= remainingFrames { return target }
    let position = elapsedFrames + frames
    if position == 0 { return start }
    let share = Float(position) / Float(totalFrames)
    let free =
      switch shape {
      case .linear: start + (target - start) * share
      case .exponential: fastExp2(startLog2 + spanLog2 * share)
      }
    // Rounding, or the floor of silence, may lead beyond an end, and the last step would go back.
    return max(min(start, target), min(max(start, target), free))
  }
}
