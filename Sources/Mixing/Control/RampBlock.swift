// SPDX-License-Identifier: MIT

import Realtime

/// Owns the memory of a group of ramps, and remembers where control has sent them.
///
/// [control-thread] all of it; the memory itself is the audio thread's once it is part of a plan.
@safe
final class RampBlock {
  let group: RampGroup
  /// The target of each ramp.
  private(set) var targets: [Float]

  /// Makes ramps that rest at `values`.
  init(groupID: UInt32, values: [Float], kind: (Int) -> GainRamp.Kind = { _ in .plain }) {
    let header = UnsafeMutablePointer<RampGroup.Header>.allocate(capacity: 1)
    unsafe header.initialize(to: RampGroup.Header(groupID: groupID))
    let ramps = UnsafeMutablePointer<GainRamp>.allocate(capacity: values.count)
    for (index, value) in values.enumerated() {
      unsafe (ramps + index).initialize(
        to: GainRamp(restingAt: value, header: header, kind: kind(index))
      )
    }
    group = unsafe RampGroup(header: header, ramps: ramps, count: values.count)
    targets = values
  }

  deinit {
    unsafe group.header.deallocate()
    unsafe group.ramps.deallocate()
  }

  var groupID: UInt32 { unsafe group.header.pointee.groupID }

  /// Sends a ramp to a new target, by a command that is still to be delivered.
  func retarget(_ index: Int, to value: Float, by ramp: RampTime, reportID: UInt32 = 0) -> Command {
    targets[index] = value
    return unsafe Command(
      target: group.ramps + index,
      value: value,
      frames: ramp.frames,
      reportID: reportID,
      kind: .ramp,
      shape: ramp.shape,
    )
  }

  /// Commands for the ramps whose targets change.
  func changes(to values: [Float], by ramp: RampTime) -> [Command] {
    values.indices.filter { values[$0] != targets[$0] }
      .map { retarget($0, to: values[$0], by: ramp) }
  }

  /// Starts a ramp at silence; only before the audio thread has the memory.
  func fadeIn(_ index: Int, by ramp: RampTime, reportID: UInt32) {
    unsafe group.ramps[index].reportID = reportID
    unsafe group.ramps[index].ramp = Ramp(restingAt: 0)
    unsafe group.ramps[index].ramp.retarget(
      to: targets[index],
      frames: ramp.frames,
      shape: ramp.shape,
    )
  }
}

/// A ``Fade`` in the engine's own frames.
struct RampTime {
  var frames: UInt32
  var shape: Ramp.Shape
}
