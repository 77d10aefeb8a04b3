// SPDX-License-Identifier: MIT

internal import Synchronization

/// The values that a node's parameters are to have, for its callback.
///
/// Any thread writes, the audio thread reads; the latest value counts. The owner frees the memory after both.
@safe
struct ParameterCells: BitwiseCopyable, @unchecked Sendable {
  let count: Int
  private let cells: UnsafeMutablePointer<Atomic<UInt64>>

  /// Makes cells with first values. [control-thread]
  init(_ values: [Double]) {
    count = values.count
    unsafe cells = .allocate(capacity: max(1, values.count))
    for (index, value) in values.enumerated() {
      unsafe (cells + index).initialize(to: Atomic(value.bitPattern))
    }
  }

  /// Frees the memory. [control-thread]
  func free() {
    unsafe cells.deinitialize(count: count)
    unsafe cells.deallocate()
  }

  /// Replaces a value. [any-thread]
  func set(_ value: Double, at index: Int) {
    guard index >= 0, index < count else { return }
    unsafe cells[index].store(value.bitPattern, ordering: .relaxed)
  }

  /// A value; 0 for one that does not exist.
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks @_noAllocation
  func value(at index: Int) -> Double {
    guard index >= 0, index < count else { return 0 }
    return unsafe Double(bitPattern: cells[index].load(ordering: .relaxed))
  }
}

/// A parameter's way to a new value on the audio thread: in equal steps, so that nothing is heard of the change itself.
///
/// ```swift
/// gain.head(for: Float(node.pointee.io.parameter(0)), frames: 960)
/// for index in 0..<output.count { output[index] = input[index] * gain.next() }
/// ```
///
/// Belongs to the audio thread: it never waits, never allocates.
public struct ParameterRamp: BitwiseCopyable, Sendable {
  /// The present value.
  public private(set) var value: Float
  /// The value at the end of the way.
  public private(set) var target: Float
  private var step: Float = 0
  private var remainingFrames = 0

  /// Makes a ramp that rests at a value. [any-thread]
  @_noLocks @_noAllocation
  public init(restingAt value: Float) {
    self.value = value
    target = value
  }

  /// Whether it is on its way.
  public var isMoving: Bool { @_noLocks @_noAllocation get { remainingFrames > 0 } }

  /// Heads for a value from wherever it is; the value that it heads for already changes nothing.
  ///
  /// - Parameters:
  ///   - target: The value to reach.
  ///   - frames: The calls of ``next()`` until then, 1 or more.
  @_noLocks @_noAllocation
  public mutating func head(for target: Float, frames: Int) {
    guard target != self.target else { return }
    self.target = target
    remainingFrames = max(1, frames)
    step = (target - value) / Float(remainingFrames)
  }

  /// Goes one frame on.
  ///
  /// - Returns: The value there; exactly the target at the end.
  @_noLocks @_noAllocation
  public mutating func next() -> Float {
    guard remainingFrames > 0 else { return value }
    remainingFrames -= 1
    value = remainingFrames == 0 ? target : value + step
    return value
  }
}
