// SPDX-License-Identifier: MIT

/// The audio side of a mix: a trivial handle, to be used by one thread at a time.
///
/// Valid as long as its ``MixEngine`` lives.
@safe
public struct MixRenderer: BitwiseCopyable, @unchecked Sendable {
  let core: UnsafeMutablePointer<RenderCore>

  /// Takes in what control has sent; to be called once at the start of each cycle.
  ///
  /// - Parameter atFrame: The number of the cycle's first frame, by the caller's own count.
  /// - Returns: The tag of the arrangement of inputs and outputs that
  ///   ``mix(inputs:outputs:frames:)`` needs in this cycle.
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  public func beginCycle(atFrame: UInt64) -> UInt64 {
    unsafe core.pointee.beginCycle(atFrame: atFrame)
    return unsafe core.pointee.plan.pointee.tag
  }

  /// Whether the gate of the strip with this first input is open in the cycle that was begun, or opens in it.
  ///
  /// - Parameter first: The index of the strip's first input.
  /// - Returns: Whether it is; false for an index that is no strip's first.
  /// - Complexity: O(strips).
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  public func isGateOpen(ofInput first: Int) -> Bool {
    for index in unsafe 0..<core.pointee.plan.pointee.strips.count {
      let strip = unsafe core.pointee.plan.pointee.strips[index]
      guard strip.firstInput == Int32(first) else { continue }
      return unsafe strip.state.pointee.isGateOpen
    }
    return false
  }

  /// Moves the crossfader at a frame of the cycle that was begun, with the standard ramp.
  ///
  /// Control is told by ``MixEvent/crossfaderMoved(position:frame:)``. A cycle has room for 32 moves; of further ones
  /// only the last counts.
  ///
  /// - Parameters:
  ///   - position: The position, -1 … 1; clamped.
  ///   - offset: The frame within the cycle; that of the move before or later.
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  public func moveCrossfader(to position: Double, atFrameOffset offset: UInt32) {
    unsafe core.pointee.crossfaderMoves.add(
      position: min(max(position, -1), 1),
      offset: Int(offset),
    )
  }

  /// Mixes one cycle, of any length.
  ///
  /// Each output is written completely. Samples of inputs that are no sound are silenced or clamped, and
  /// counted (``InputFaults``), before anything else reads them.
  ///
  /// - Parameters:
  ///   - inputs: A pointer for each channel of each strip in the spec's order; nil is silence.
  ///   - outputs: A pointer for each channel of each route in the spec's order; nil is skipped.
  ///     Must not overlap the inputs or each other.
  ///   - frames: Frames in the cycle.
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  public func mix(
    inputs: UnsafePointer<UnsafePointer<Float>?>,
    outputs: UnsafePointer<UnsafeMutablePointer<Float>?>,
    frames: Int,
  ) {
    unsafe core.pointee.mix(inputs: inputs, outputs: outputs, frames: frames)
  }

  /// Begins and mixes a cycle in one call, where the arrangement is fixed.
  ///
  /// - Parameters:
  ///   - inputs: As for ``mix(inputs:outputs:frames:)``.
  ///   - outputs: As for ``mix(inputs:outputs:frames:)``.
  ///   - frames: Frames in the cycle.
  ///   - atFrame: As for ``beginCycle(atFrame:)``.
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  public func render(
    inputs: UnsafePointer<UnsafePointer<Float>?>,
    outputs: UnsafePointer<UnsafeMutablePointer<Float>?>,
    frames: Int,
    atFrame: UInt64,
  ) {
    _ = beginCycle(atFrame: atFrame)
    unsafe mix(inputs: inputs, outputs: outputs, frames: frames)
  }
}
