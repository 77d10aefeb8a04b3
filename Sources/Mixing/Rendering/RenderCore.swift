// SPDX-License-Identifier: MIT

import CMixKernels
import Realtime

/// The audio thread's state; lives at one address for as long as its engine.
///
/// While gains move, time is cut into cells: at most ``cellFrames`` long, on a grid of frames counted
/// since the start, and cut where a ramp ends. In a cell every gain moves in a straight line, from its
/// old value to the product of its factors at the cell's end. So the result does not depend on the
/// start of blocks, and a fade ends exactly on its frame. While all gains are constant there are no
/// cells.
///
/// Made by control: [control-thread]; its functions run on the audio thread.
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
  /// A plan that was taken, and waits until the strips and sends that it removes are silent.
  var incoming: UnsafeMutablePointer<RenderPlan>?
  var takenSerial: UInt32
  /// Whether the plan in force has not been reported to control yet.
  var isAdoptionUnreported = false
  var adoptionFrame: UInt64 = 0

  /// Number of entries in the plan's list of moving ramps.
  var movingCount = 0
  /// Length of the present cell, and its remaining frames; 0 outside cells.
  var cellLength: UInt32 = 0
  var cellRemaining: UInt32 = 0
  /// Whether the lists of audible inputs, cells and routes must be rebuilt.
  var areListsStale = true
  /// Whether somebody watches the levels, so that inputs are read that nobody hears.
  var isWatched = false

  /// Frames rendered since the start: the grid of the cells.
  var position: UInt64 = 0
  /// The number of the cycle's first frame, as the caller counts.
  var cycleFrame: UInt64 = 0

  /// The moves of the crossfader in the present cycle.
  var crossfaderMoves = CrossfaderMoves()
  /// The last move that control does not know yet.
  var unreportedMove: RenderReport?

  /// Cycles rendered since the start.
  var cycleCount: UInt64 = 0

  /// The most outputs that are summed together.
  let outputsTogether = mix_most_outputs()
  let metering: MeterSmoothing
  /// Room for the inputs of a cycle whose samples are no sound.
  var cleanRoom: CleanRoom

  init(
    commands: SPSCQueue<Command>.Consumer,
    reports: SPSCQueue<RenderReport>.Producer,
    newestPlan: PlanCell<RenderPlan>.Endpoint,
    plan: UnsafeMutablePointer<RenderPlan>,
    sampleRateHz: Double,
    cleanRoom: CleanRoom,
  ) {
    self.commands = commands
    self.reports = reports
    self.newestPlan = newestPlan
    unsafe self.plan = plan
    takenSerial = unsafe plan.pointee.serial
    metering = MeterSmoothing(sampleRateHz: sampleRateHz)
    self.cleanRoom = cleanRoom
  }
}
