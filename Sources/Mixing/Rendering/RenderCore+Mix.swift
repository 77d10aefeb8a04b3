// SPDX-License-Identifier: MIT

import CMixKernels

extension RenderCore {
  /// Renders one cycle, cut into cells while gains move, and in one piece otherwise.
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  mutating func mix(
    inputs: UnsafePointer<UnsafePointer<Float>?>,
    outputs: UnsafePointer<UnsafeMutablePointer<Float>?>,
    frames: Int,
  ) {
    guard frames > 0 else { return }
    cycleCount &+= 1
    cleanRoom.beginCycle()
    var isListRead = false
    var done = 0
    var isOneSlice = false
    while done < frames {
      moveCrossfader(atOffset: done)
      let isMoving = cellRemaining > 0 || movingCount > 0
      if isMoving, cellRemaining == 0 {
        beginCell(isFirstSlice: done == 0)
        isListRead = false
      } else if !isMoving, areListsStale {
        listHeardAtRest(isFirstSlice: done == 0)
        isListRead = false
      }
      if !isListRead {
        unsafe readInputs(inputs, frames: frames)
        isListRead = true
      }
      let end = crossfaderMoves.nextOffset(below: frames)
      let length = isMoving ? min(Int(cellRemaining), end - done) : end - done
      if length > 0 {
        unsafe mixSlice(outputs: outputs, from: done, frames: length)
      }
      done += length
      position &+= UInt64(length)
      if isMoving {
        cellRemaining -= UInt32(length)
        if cellRemaining == 0 { endCell(atFrame: done) }
      }
      isOneSlice = length == frames && !isMoving
    }
    reportMove()
    unsafe finishRoutes(outputs: outputs, frames: frames, areLevelsKnown: isOneSlice)
    meterStrips(frames: frames)
  }

  /// Mixes a run of frames in which every gain goes in a straight line.
  @_noLocks
  @_noAllocation
  private mutating func mixSlice(
    outputs: UnsafePointer<UnsafeMutablePointer<Float>?>,
    from offset: Int,
    frames: Int,
  ) {
    unsafe mix_clear_outputs(
      outputs,
      plan.pointee.idleOutputs.baseAddress,
      Int32(plan.pointee.idleOutputCount),
      offset,
      frames,
    )
    unsafe mix_sum_groups(
      plan.pointee.sums.baseAddress,
      plan.pointee.inputs.baseAddress,
      outputs,
      offset,
      frames,
      plan.pointee.outputLevels.baseAddress,
    )
    // Behind the sums, which share the room for inputs; only while gains move.
    guard cellLength > 0 else { return }
    for index in unsafe 0..<plan.pointee.activeRouteCount {
      let route = unsafe plan.pointee.routes[Int(plan.pointee.activeRoutes[index])]
      for output in Int(route.firstOutput)..<Int(route.firstOutput + route.channels) {
        unsafe addMoving(output, into: outputs[output], from: offset, frames: frames)
      }
    }
  }

  /// Adds the inputs whose gain moves to an output, and moves their gains on.
  @_noLocks
  @_noAllocation
  private mutating func addMoving(
    _ index: Int,
    into samples: UnsafeMutablePointer<Float>?,
    from offset: Int,
    frames: Int,
  ) {
    let output = unsafe plan.pointee.outputs[index]
    let first = Int(output.firstCell + output.steadyCount)
    let end = first + Int(output.movingCount)
    guard first < end else { return }
    if let samples = unsafe samples {
      let moving = gather(first..<end)
      unsafe mix_add_ramps(
        samples,
        plan.pointee.gatheredInputs.baseAddress,
        plan.pointee.gatheredGains.baseAddress,
        plan.pointee.gatheredSteps.baseAddress,
        Int32(moving),
        offset,
        frames,
      )
    }
    for place in first..<end {
      unsafe plan.pointee.heardGains[place] += plan.pointee.heardSteps[place] * Float(frames)
    }
  }

  /// Puts the inputs of some cells that are there side by side, with their gains.
  ///
  /// - Returns: Their number.
  @_noLocks
  @_noAllocation
  private mutating func gather(_ places: Range<Int>) -> Int {
    var count = 0
    for place in places {
      let heard = unsafe Int(plan.pointee.heardInputs[place])
      guard let input = unsafe plan.pointee.inputs[heard].samples else { continue }
      unsafe plan.pointee.gatheredInputs[count] = input
      unsafe plan.pointee.gatheredGains[count] = plan.pointee.heardGains[place]
      unsafe plan.pointee.gatheredSteps[count] = plan.pointee.heardSteps[place]
      count += 1
    }
    return count
  }
}
