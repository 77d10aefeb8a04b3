// SPDX-License-Identifier: MIT

import Realtime

/// A small change, from control to the audio thread.
///
/// A plain value: [any-thread].
@safe
struct Command: BitwiseCopyable {
  /// The kind of change.
  enum Kind: UInt8, BitwiseCopyable {
    /// Retargets the ``GainRamp`` at ``Command/target``.
    case ramp
    /// Sets the limiter at ``Command/target``: value is its ceiling, extra its release.
    case limiter
    /// Sets the delay at ``Command/target`` to ``Command/frames``.
    case delay
    /// Reads the levels of inputs that nobody hears, for a value other than 0.
    case watch
    /// Reports ``Command/reportID`` as a ramp that has landed: for changes that need no ramp.
    case report
    /// Holds what follows until the plan with the serial ``Command/reportID`` is there, so that a
    /// plan and the commands that belong to it act in the same cycle.
    case awaitPlan
  }

  var target: UnsafeMutableRawPointer?
  var value: Float = 0
  var extra: Float = 0
  var frames: UInt32 = 0
  var reportID: UInt32 = 0
  var kind: Kind
  var shape: Ramp.Shape = .linear
}

extension Command {
  /// The first of a batch that belongs to a plan.
  init(awaitPlan serial: UInt32) {
    unsafe self.init(target: nil, reportID: serial, kind: .awaitPlan)
  }

  /// Whether somebody watches the levels.
  init(watchesLevels: Bool) {
    unsafe self.init(target: nil, value: watchesLevels ? 1 : 0, kind: .watch)
  }

  /// A report for a change that needs no ramp.
  init(report reportID: UInt32) {
    unsafe self.init(target: nil, reportID: reportID, kind: .report)
  }
}

/// An event, from the audio thread to control.
///
/// A plain value: [any-thread].
struct RenderReport: BitwiseCopyable {
  /// The kind of event.
  enum Kind: UInt8, BitwiseCopyable {
    /// The plan with this serial is adopted, and earlier plans are no longer used.
    case planAdopted
    /// A ramp has landed.
    case ramp
    /// The audio thread has moved the crossfader.
    case crossfader
  }

  var frame: UInt64
  /// A plan's serial, the group of the ramp, or the number of commands executed before the move; it wraps.
  var subject: UInt32
  var reportID: UInt32 = 0
  /// The value at which a ramp has ended, or the crossfader's position.
  var value: Double = 0
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

  /// A report for a ramp whose gain was at its target already.
  @_noLocks
  @_noAllocation
  init(reportID: UInt32, frame: UInt64) {
    self.frame = frame
    self.reportID = reportID
    subject = 0
    kind = .ramp
  }

  /// The crossfader has moved.
  @_noLocks
  @_noAllocation
  init(crossfader position: Double, frame: UInt64, afterCommands: UInt32) {
    self.frame = frame
    subject = afterCommands
    value = position
    kind = .crossfader
  }

  /// A ramp has landed.
  @_noLocks
  @_noAllocation
  init(landed ramp: GainRamp) {
    frame = ramp.landingFrame
    subject = unsafe ramp.header.pointee.groupID
    reportID = ramp.reportID
    value = Double(ramp.ramp.target)
    kind = .ramp
    rampKind = ramp.kind
  }
}
