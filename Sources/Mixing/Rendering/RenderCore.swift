// SPDX-License-Identifier: MIT

import Realtime

/// The audio thread's state; lives at one address for as long as its engine.
///
/// While gains move, time is cut into cells: at most ``cellFrames`` long, on a grid of frames
/// counted since the start, and cut where a ramp ends. In a cell every gain goes in a straight
/// line, from what it was to the product of its factors at the cell's end. So the result does not
/// depend on where blocks begin, and a fade lands exactly on its frame. While nothing moves there
/// are no cells.
@safe
struct RenderCore {
  /// Frames in a cell that no ramp cuts short.
  static var cellFrames: UInt32 {
    @_noLocks @_noAllocation
    get { 32 }
  }

  let commands: SPSCQueue<Command>.Consumer
  let reports: SPSCQueue<RenderReport>.Producer
  let newestPlan: PlanCell<RenderPlan>.Endpoint

  var plan: UnsafeMutablePointer<RenderPlan>
  /// Taken, and waiting for what it does without to fall silent.
  var incoming: UnsafeMutablePointer<RenderPlan>?
  var takenSerial: UInt32
  /// Whether control still has to be told of the plan in force.
  var isAdoptionUnreported = false
  var adoptionFrame: UInt64 = 0

  /// Ramps in the plan's list of those under way.
  var movingCount = 0
  /// Length of the present cell, and what is left of it; 0 outside cells.
  var cellLength: UInt32 = 0
  var cellRemaining: UInt32 = 0
  /// Whether the lists of what is heard must be made anew.
  var areListsStale = true

  /// Frames rendered since the start: the grid of the cells.
  var position: UInt64 = 0
  /// The number of the cycle's first frame, as the caller counts.
  var cycleFrame: UInt64 = 0

  let metering: MeterSmoothing

  init(
    commands: SPSCQueue<Command>.Consumer,
    reports: SPSCQueue<RenderReport>.Producer,
    newestPlan: PlanCell<RenderPlan>.Endpoint,
    plan: UnsafeMutablePointer<RenderPlan>,
    sampleRateHz: Double,
  ) {
    self.commands = commands
    self.reports = reports
    self.newestPlan = newestPlan
    unsafe self.plan = plan
    takenSerial = unsafe plan.pointee.serial
    metering = MeterSmoothing(sampleRateHz: sampleRateHz)
  }
}
