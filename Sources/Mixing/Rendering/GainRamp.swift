// SPDX-License-Identifier: MIT

import Realtime

/// One factor of a gain, with its own ramp, so that overlapping ramps do not disturb each other.
///
/// Made by control: [control-thread]; moved by the audio thread once a plan holds it.
@safe
struct GainRamp: BitwiseCopyable {
  /// The report that the audio thread makes when the ramp ends.
  enum Kind: UInt8, BitwiseCopyable {
    /// An ordinary end; reported only with a report id.
    case plain
    /// Always: the gate has closed or opened.
    case gate
    /// The send has come to silence.
    case send
  }

  var ramp: Ramp
  /// Of the group that the ramp belongs to.
  let header: UnsafeMutablePointer<RampGroup.Header>
  /// The first frame at the target, as the caller counts; good while ``hasLanded``.
  var landingFrame: UInt64 = 0
  /// An id from the caller; 0 requests no report.
  var reportID: UInt32 = 0
  let kind: Kind
  /// Whether the ramp is in the list of moving ramps.
  var isMoving = false
  /// Whether the ramp is in that list only because its report has found no room yet.
  var hasLanded = false

  init(
    restingAt value: Float,
    header: UnsafeMutablePointer<RampGroup.Header>,
    kind: Kind = .plain,
  ) {
    ramp = Ramp(restingAt: value)
    unsafe self.header = header
    self.kind = kind
  }

  /// Whether the end of the ramp is reported.
  var isReported: Bool {
    @_noLocks @_noAllocation
    get { reportID != 0 || kind == .gate || (kind == .send && ramp.target == 0) }
  }
}

/// The ramps of one strip, send or route, with their common data.
///
/// The memory is made by control and belongs to the audio thread from the first plan that holds it
/// until the first plan in force that does not; plans come and go around it. That is why a swap of
/// plans needs no hand-over of gains.
@safe
struct RampGroup: BitwiseCopyable {
  /// The values that the ramps of a group share.
  struct Header: BitwiseCopyable {
    /// Names the group in reports.
    let groupID: UInt32
    /// The serial of the newest plan in force that holds the group; 0 before the first.
    var planSerial: UInt32 = 0
    /// Number of ramps of this group that are moving.
    var movingCount: Int32 = 0
  }

  let header: UnsafeMutablePointer<Header>
  let ramps: UnsafeMutablePointer<GainRamp>
  let count: Int

  /// Whether any ramp of the group is moving.
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
