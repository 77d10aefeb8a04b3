// SPDX-License-Identifier: MIT

import Realtime

extension RenderCore {
  /// Begins a cell: sets its length, the gains at its end, and the audible inputs.
  ///
  /// - Parameter isFirstSlice: Whether the cycle begins here.
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  mutating func beginCell(isFirstSlice: Bool) {
    var length = Self.cellFrames - UInt32(truncatingIfNeeded: position) % Self.cellFrames
    for index in 0..<movingCount {
      let ramp = unsafe plan.pointee.moving[index]
      if unsafe !ramp.pointee.hasLanded {
        length = unsafe min(length, ramp.pointee.ramp.remainingFrames)
      }
    }
    cellLength = length
    cellRemaining = length
    updateProducts(framesAhead: length)
    updateEndGains(framesAhead: length)
    listHeard(isFirstSlice: isFirstSlice)
  }

  /// Ends the present cell where it was meant to end: gains and ramps arrive.
  ///
  /// - Parameter frame: Frames since the start of the cycle, for the reports.
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  mutating func endCell(atFrame frame: Int) {
    for index in unsafe 0..<plan.pointee.cells.count {
      let state = unsafe plan.pointee.cells[index].state
      unsafe state.pointee.gain = state.pointee.endGain
    }
    var kept = 0
    for index in 0..<movingCount {
      let ramp = unsafe plan.pointee.moving[index]
      unsafe ramp.pointee.ramp.advance(frames: cellLength)
      if unsafe ramp.pointee.ramp.remainingFrames == 0, unsafe !ramp.pointee.hasLanded {
        unsafe ramp.pointee.hasLanded = true
        unsafe ramp.pointee.landingFrame = cycleFrame &+ UInt64(frame)
      }
      // With the report queue full, a ramp that has landed stays on the list until there is room.
      if unsafe ramp.pointee.hasLanded, unsafe report(ramp) {
        unsafe ramp.pointee.hasLanded = false
        unsafe ramp.pointee.isMoving = false
        unsafe ramp.pointee.header.pointee.movingCount -= 1
      } else {
        unsafe plan.pointee.moving[kept] = ramp
        kept += 1
      }
    }
    movingCount = kept
    cellLength = 0
    cellRemaining = 0
    areListsStale = true
  }

  /// Gives up the present cell where it is, because gains are to go elsewhere.
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  mutating func cutCell() {
    guard cellRemaining > 0 else { return }
    let gone = cellLength - cellRemaining
    for index in 0..<movingCount {
      unsafe plan.pointee.moving[index].pointee.ramp.advance(frames: gone)
    }
    for index in unsafe 0..<plan.pointee.outputs.count {
      let output = unsafe plan.pointee.outputs[index]
      let first = Int(output.firstCell + output.steadyCount)
      for place in first..<first + Int(output.movingCount) {
        unsafe plan.pointee.heardStates[place].pointee.gain = plan.pointee.heardGains[place]
      }
    }
    cellLength = 0
    cellRemaining = 0
    areListsStale = true
  }

  @_noLocks
  @_noAllocation
  private mutating func report(_ ramp: UnsafeMutablePointer<GainRamp>) -> Bool {
    guard unsafe ramp.pointee.isReported else { return true }
    guard unsafe reports.push(RenderReport(landed: ramp.pointee)) else { return false }
    unsafe ramp.pointee.reportID = 0
    return true
  }

  @_noLocks
  @_noAllocation
  private mutating func updateProducts(framesAhead: UInt32) {
    for index in unsafe 0..<plan.pointee.strips.count {
      let state = unsafe plan.pointee.strips[index].state
      if unsafe state.pointee.ramps.isMoving {
        unsafe state.pointee.updateProducts(framesAhead: framesAhead)
      }
    }
    for index in unsafe 0..<plan.pointee.routes.count {
      let state = unsafe plan.pointee.routes[index].state
      if unsafe state.pointee.ramps.isMoving {
        unsafe state.pointee.updateProduct(framesAhead: framesAhead)
      }
    }
  }

  @_noLocks
  @_noAllocation
  private mutating func updateEndGains(framesAhead: UInt32) {
    for index in unsafe 0..<plan.pointee.cells.count {
      let cell = unsafe plan.pointee.cells[index]
      let isMoving =
        unsafe cell.state.pointee.ramps.isMoving || cell.strip.pointee.ramps.isMoving
        || cell.route.pointee.ramps.isMoving
      unsafe cell.state.pointee.endGain =
        isMoving ? cell.product(framesAhead: framesAhead) : cell.state.pointee.gain
    }
  }
}
