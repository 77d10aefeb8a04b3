// SPDX-License-Identifier: MIT

/// The position of JACK's counter, and of the audio of its cycles.
///
/// Pure value: [any-thread].
///
/// A callback can come so late that JACK has begun the next cycle meanwhile. The call for that one may
/// follow at once, or never: so a gap counts when it is still there in the next call.
public struct CycleCount: BitwiseCopyable, Sendable {
  /// The position of JACK, in frames since the first cycle.
  public private(set) var clockFrames: Int64 = 0
  /// The position of this call's audio, in the same count.
  public private(set) var audioFrames: Int64 = 0
  /// Whether JACK has moved since the last call.
  public private(set) var hasMoved = false

  private var frameTime: UInt32 = 0
  private var gapFrames: Int64 = 0
  private var isFirst = true

  /// Makes a count that begins with the next cycle.
  ///
  /// [any-thread] never waits, never allocates.
  @_noLocks @_noAllocation
  public init() {}

  /// Begins a cycle.
  ///
  /// - Parameter time: JACK's own name for the cycle's first frame; wraps.
  /// - Returns: The frames of cycles that went by without a call: their audio is lost. Negative
  ///   where JACK counts from further back.
  ///
  /// [any-thread] never waits, never allocates.
  @_noLocks @_noAllocation
  public mutating func begin(frameTime time: UInt32) -> Int {
    let passed = isFirst ? 0 : Int64(Int32(bitPattern: time &- frameTime))
    hasMoved = isFirst || passed != 0
    isFirst = false
    frameTime = time
    clockFrames += passed
    let gap = clockFrames - audioFrames
    let isLost = gap == gapFrames
    gapFrames = isLost ? 0 : gap
    guard isLost else { return 0 }
    audioFrames = clockFrames
    return Int(gap)
  }

  /// Ends a cycle of `frames` frames.
  ///
  /// [any-thread] never waits, never allocates.
  @_noLocks @_noAllocation
  public mutating func end(frames: Int) { audioFrames += Int64(frames) }

  /// The audio belongs to where JACK is: it stood still, or no time counts.
  ///
  /// [any-thread] never waits, never allocates.
  @_noLocks @_noAllocation
  public mutating func align() {
    audioFrames = clockFrames
    gapFrames = 0
  }
}
