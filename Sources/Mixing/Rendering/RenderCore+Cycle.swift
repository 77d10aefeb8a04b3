// SPDX-License-Identifier: MIT

import CMixKernels
import Realtime

extension RenderCore {
  /// Takes in plans and commands, and puts a plan into force whose time has come.
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  mutating func beginCycle(atFrame frame: UInt64) {
    cycleFrame = frame
    // The plan comes first. Then every command sent before it is visible below, and memory that is
    // freed after the plan's report can no longer be the target of a command.
    takeNewestPlan()
    execute()
    adoptIncoming()
    reportAdoption()
    reportMove()
  }

  @_noLocks
  @_noAllocation
  private mutating func takeNewestPlan() {
    guard let newest = unsafe newestPlan.take() else { return }
    unsafe incoming = newest
    takenSerial = unsafe newest.pointee.serial
  }

  @_noLocks
  @_noAllocation
  private mutating func execute() {
    while let command = commands.peek() {
      switch command.kind {
      case .ramp: retarget(command)
      case .limiter:
        unsafe mix_limiter_set(OpaquePointer(command.target), command.value, command.extra)
        // The lists hold the levels with which routes need no limiter.
        areListsStale = true
      case .delay:
        unsafe command.target?.assumingMemoryBound(to: DelayState.self).pointee.wantedFrames =
          Int(command.frames)
      case .watch:
        isWatched = command.value != 0
        areListsStale = true
      case .report:
        let report = RenderReport(reportID: command.reportID, frame: cycleFrame)
        guard reports.push(report) else { return }
      case .awaitPlan:
        if takenSerial < command.reportID { takeNewestPlan() }
        if takenSerial < command.reportID { return }
      }
      _ = commands.pop()
    }
  }

  @_noLocks
  @_noAllocation
  private mutating func retarget(_ command: Command) {
    guard let target = unsafe command.target?.assumingMemoryBound(to: GainRamp.self) else { return }
    unsafe retarget(target, to: command.value, frames: command.frames, shape: command.shape)
    unsafe target.pointee.reportID = command.reportID
  }

  /// Sends a ramp to a new target.
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  mutating func retarget(
    _ target: UnsafeMutablePointer<GainRamp>,
    to value: Float,
    frames: UInt32,
    shape: Ramp.Shape,
  ) {
    cutCell()
    // A ramp that is at its target already ends at once.
    let isThere =
      unsafe target.pointee.ramp.remainingFrames == 0 && target.pointee.ramp.target == value
    unsafe target.pointee.ramp.retarget(to: value, frames: isThere ? 0 : frames, shape: shape)
    unsafe target.pointee.hasLanded = false
    // One that no plan in force holds starts with its plan.
    if unsafe target.pointee.header.pointee.planSerial != 0 {
      unsafe start(target)
    }
  }

  /// Puts a ramp on the list of moving ramps.
  @_noLocks
  @_noAllocation
  private mutating func start(_ ramp: UnsafeMutablePointer<GainRamp>) {
    guard unsafe !ramp.pointee.isMoving else { return }
    unsafe ramp.pointee.isMoving = true
    unsafe ramp.pointee.header.pointee.movingCount += 1
    unsafe plan.pointee.moving[movingCount] = ramp
    movingCount += 1
  }

  // MARK: Plans

  @_noLocks
  @_noAllocation
  private mutating func adoptIncoming() {
    guard let next = unsafe incoming else { return }
    for index in unsafe 0..<next.pointee.awaited.count {
      let state = unsafe next.pointee.awaited[index]
      if unsafe state.pointee.gain != 0 || state.pointee.ramps.isMoving { return }
    }
    cutCell()
    unsafe incoming = nil
    let previous = unsafe plan
    unsafe plan = next
    unsafe keepMoving(from: previous)
    installNew()
    areListsStale = true
    isAdoptionUnreported = true
    adoptionFrame = cycleFrame
  }

  /// Takes over the moving ramps whose groups are still in the plan in force.
  @_noLocks
  @_noAllocation
  private mutating func keepMoving(from previous: UnsafeMutablePointer<RenderPlan>) {
    for index in unsafe 0..<plan.pointee.strips.count {
      unsafe markHeld(plan.pointee.strips[index].state.pointee.ramps)
    }
    for index in unsafe 0..<plan.pointee.routes.count {
      unsafe markHeld(plan.pointee.routes[index].state.pointee.ramps)
    }
    for index in unsafe 0..<plan.pointee.cells.count {
      unsafe markHeld(plan.pointee.cells[index].state.pointee.ramps)
    }
    let count = movingCount
    movingCount = 0
    for index in 0..<count {
      let ramp = unsafe previous.pointee.moving[index]
      if unsafe ramp.pointee.header.pointee.planSerial == plan.pointee.serial {
        unsafe plan.pointee.moving[movingCount] = ramp
        movingCount += 1
      }
    }
  }

  /// Marks a group as held by the plan in force, if it was in force before.
  @_noLocks
  @_noAllocation
  private func markHeld(_ group: RampGroup) {
    if unsafe group.header.pointee.planSerial != 0 {
      unsafe group.header.pointee.planSerial = plan.pointee.serial
    }
  }

  /// Starts the new parts of the plan: factors first, since cells multiply them.
  @_noLocks
  @_noAllocation
  private mutating func installNew() {
    for index in unsafe 0..<plan.pointee.strips.count {
      let state = unsafe plan.pointee.strips[index].state
      if unsafe install(state.pointee.ramps) {
        unsafe state.pointee.updateProducts(framesAhead: 0)
      }
    }
    for index in unsafe 0..<plan.pointee.routes.count {
      let state = unsafe plan.pointee.routes[index].state
      if unsafe install(state.pointee.ramps) {
        unsafe state.pointee.updateProduct(framesAhead: 0)
      }
    }
    for index in unsafe 0..<plan.pointee.cells.count {
      let cell = unsafe plan.pointee.cells[index]
      if unsafe install(cell.state.pointee.ramps) {
        unsafe cell.state.pointee.gain = cell.product(framesAhead: 0)
      }
    }
  }

  /// Starts the ramps of a group that was never in force.
  ///
  /// - Returns: Whether it was new.
  @_noLocks
  @_noAllocation
  private mutating func install(_ group: RampGroup) -> Bool {
    guard unsafe group.header.pointee.planSerial == 0 else { return false }
    unsafe group.header.pointee.planSerial = plan.pointee.serial
    for index in 0..<group.count {
      let ramp = unsafe group.ramps + index
      if unsafe ramp.pointee.ramp.remainingFrames > 0 || ramp.pointee.reportID != 0 {
        unsafe start(ramp)
      }
    }
    return true
  }

  @_noLocks
  @_noAllocation
  private mutating func reportAdoption() {
    guard isAdoptionUnreported else { return }
    let report = unsafe RenderReport(adoptedSerial: plan.pointee.serial, frame: adoptionFrame)
    if reports.push(report) { isAdoptionUnreported = false }
  }
}
