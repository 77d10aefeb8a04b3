// SPDX-License-Identifier: MIT

import Realtime

/// A small change, from control to the audio thread.
@safe
struct Command: BitwiseCopyable {
  /// What is to be changed.
  enum Kind: UInt8, BitwiseCopyable {
    /// Retargets the ``GainRamp`` at ``Command/target``.
    case ramp
    /// Sets the limiter at ``Command/target``: value is its ceiling, extra its release.
    case limiter
    /// Sets the delay at ``Command/target`` to ``Command/frames``.
    case delay
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

  /// A report for a change that needs no ramp.
  init(report reportID: UInt32) {
    unsafe self.init(target: nil, reportID: reportID, kind: .report)
  }
}
