// SPDX-License-Identifier: MIT

import Realtime

/// What happened, from the audio thread to control.
struct RenderReport: BitwiseCopyable {
  /// What happened.
  enum Kind: UInt8, BitwiseCopyable {
    /// The plan with this serial is in force, and none before it is used any more.
    case planAdopted
    /// A ramp has landed.
    case ramp
  }

  var frame: UInt64
  /// A plan's serial, or the group of the ramp.
  var subject: UInt32
  var reportID: UInt32 = 0
  /// Where a ramp has landed.
  var value: Float = 0
  var kind: Kind
  var rampKind: GainRamp.Kind = .plain

  /// A plan has come into force.
  @_noLocks
  @_noAllocation
  init(adoptedSerial: UInt32, frame: UInt64) {
    self.frame = frame
    subject = adoptedSerial
    kind = .planAdopted
  }

  /// What would have been a ramp was there already.
  @_noLocks
  @_noAllocation
  init(reportID: UInt32, frame: UInt64) {
    self.frame = frame
    self.reportID = reportID
    subject = 0
    kind = .ramp
  }

  /// A ramp has landed.
  @_noLocks
  @_noAllocation
  init(landed ramp: GainRamp) {
    frame = ramp.landingFrame
    subject = unsafe ramp.header.pointee.groupID
    reportID = ramp.reportID
    value = ramp.ramp.target
    kind = .ramp
    rampKind = ramp.kind
  }
}
