// SPDX-License-Identifier: MIT

import Realtime

/// The ramps of one strip, send or route, with what they have in common.
///
/// The memory is made by control and belongs to the audio thread from the first plan that holds it
/// until the first plan in force that does not; plans come and go around it. That is why a swap of
/// plans needs no hand-over of gains.
@safe
struct RampGroup: BitwiseCopyable {
  /// What the ramps of a group have in common.
  struct Header: BitwiseCopyable {
    /// Names the group in reports.
    let groupID: UInt32
    /// The serial of the newest plan in force that holds the group; 0 before the first.
    var planSerial: UInt32 = 0
    /// Ramps of this group that are under way.
    var movingCount: Int32 = 0
  }

  let header: UnsafeMutablePointer<Header>
  let ramps: UnsafeMutablePointer<GainRamp>
  let count: Int

  /// Whether any ramp of the group is under way.
  var isMoving: Bool {
    @_noLocks @_noAllocation
    get { unsafe header.pointee.movingCount > 0 }
  }

  /// The value of one ramp, some frames ahead.
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  func value(_ index: Int, framesAhead: UInt32) -> Float {
    unsafe ramps[index].ramp.value(afterFrames: framesAhead)
  }
}
