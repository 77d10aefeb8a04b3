// SPDX-License-Identifier: MIT

import Realtime

/// One factor of a gain, with a ramp of its own, so that ramps that overlap do not disturb each
/// other.
@safe
struct GainRamp: BitwiseCopyable {
  /// What the audio thread reports when the ramp lands.
  enum Kind: UInt8, BitwiseCopyable {
    /// Nothing, unless there is a report id.
    case plain
    /// Always: the gate has closed or opened.
    case gate
    /// That the send has come to silence.
    case send
  }

  var ramp: Ramp
  /// Of the group that the ramp belongs to.
  let header: UnsafeMutablePointer<RampGroup.Header>
  /// The first frame at the target, as the caller counts; good while ``hasLanded``.
  var landingFrame: UInt64 = 0
  /// Chosen by the caller; 0 is none.
  var reportID: UInt32 = 0
  let kind: Kind
  /// Whether the ramp is in the list of those under way.
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

  /// Whether landing is to be reported.
  var isReported: Bool {
    @_noLocks @_noAllocation
    get { reportID != 0 || kind == .gate || (kind == .send && ramp.target == 0) }
  }
}
