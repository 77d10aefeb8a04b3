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
    for index in unsafe 0..<plan.pointee.activeRouteCount {
      let route = unsafe plan.pointee.routes[Int(plan.pointee.activeRoutes[index])]
      for output in Int(route.firstOutput)..<Int(route.firstOutput + route.channels)
      where unsafe !plan.pointee.outputs[output].isLed {
        unsafe sumSteady(output, outputs, from: offset, frames: frames)
      }
    }
    // Behind the sums, which share the room for inputs; only while gains move.
    guard cellLength > 0 else { return }
    for index in unsafe 0..<plan.pointee.activeRouteCount {
      let route = unsafe plan.pointee.routes[Int(plan.pointee.activeRoutes[index])]
      for output in Int(route.firstOutput)..<Int(route.firstOutput + route.channels) {
        unsafe addMoving(output, into: outputs[output], from: offset, frames: frames)
      }
    }
  }

  /// Sums the inputs whose gain stands still, into an output and into those that it leads.
  @_noLocks
  @_noAllocation
  private mutating func sumSteady(
    _ leader: Int,
    _ outputs: UnsafePointer<UnsafeMutablePointer<Float>?>,
    from offset: Int,
    frames: Int,
  ) {
    let led = unsafe plan.pointee.outputs[leader]
    if led.nextAlike < 0 {
      guard let samples = unsafe outputs[leader] else { return }
      let first = Int(led.firstCell)
      let count = gather(first..<first + Int(led.steadyCount))
      unsafe sumOne(leader, into: samples, inputs: count, from: offset, frames: frames)
      return
    }
    let inputs = gatherPlaces(of: led)
    var member = Int32(leader)
    while member >= 0 {
      var count = 0
      while member >= 0, count < outputsTogether {
        if let samples = unsafe outputs[Int(member)] {
          unsafe plan.pointee.fourOutputs[count] = samples
          unsafe plan.pointee.fourPlaces[count] = member
          count += 1
        }
        member = unsafe plan.pointee.outputs[Int(member)].nextAlike
      }
      // Four, two, or one at a time.
      var done = 0
      while done < count {
        let together = count == 4 ? 4 : min(2, count - done)
        sum(done..<done + together, inputs: inputs, from: offset, frames: frames)
        done += together
      }
    }
  }

  /// Sums the gathered inputs into some of the outputs that are worked on together: 4, 2 or 1.
  @_noLocks
  @_noAllocation
  private mutating func sum(_ members: Range<Int>, inputs: Int, from offset: Int, frames: Int) {
    for place in 0..<members.count {
      let output = unsafe Int(plan.pointee.fourPlaces[members.lowerBound + place])
      let first = unsafe Int(plan.pointee.outputs[output].firstCell)
      for input in 0..<inputs {
        unsafe plan.pointee.gatheredGains[input * members.count + place] =
          plan.pointee.heardGains[first + Int(plan.pointee.gatheredPlaces[input])]
      }
    }
    guard let targets = unsafe plan.pointee.fourOutputs.baseAddress else { return }
    if members.count == 1 {
      guard let samples = unsafe targets[members.lowerBound] else { return }
      let output = unsafe Int(plan.pointee.fourPlaces[members.lowerBound])
      unsafe sumOne(output, into: samples, inputs: inputs, from: offset, frames: frames)
      return
    }
    unsafe mix_sum_outputs(
      targets + members.lowerBound,
      Int32(members.count),
      plan.pointee.gatheredInputs.baseAddress,
      plan.pointee.gatheredGains.baseAddress,
      Int32(inputs),
      offset,
      frames,
      plan.pointee.fourLevels.baseAddress,
    )
    for place in 0..<members.count {
      let level = unsafe plan.pointee.fourLevels[place]
      let output = unsafe Int(plan.pointee.fourPlaces[members.lowerBound + place])
      unsafe plan.pointee.outputs[output].peak = level.peak
      unsafe plan.pointee.outputs[output].squares = level.squares
    }
  }

  /// Sums the gathered inputs at the gathered gains into one output.
  @_noLocks
  @_noAllocation
  private mutating func sumOne(
    _ output: Int,
    into samples: UnsafeMutablePointer<Float>,
    inputs: Int,
    from offset: Int,
    frames: Int,
  ) {
    let level = unsafe mix_sum(
      samples,
      plan.pointee.gatheredInputs.baseAddress,
      plan.pointee.gatheredGains.baseAddress,
      Int32(inputs),
      offset,
      frames,
    )
    unsafe plan.pointee.outputs[output].peak = level.peak
    unsafe plan.pointee.outputs[output].squares = level.squares
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
      let source = unsafe plan.pointee.sources[Int(plan.pointee.heardInputs[place])]
      guard let input = unsafe source.samples else { continue }
      unsafe plan.pointee.gatheredInputs[count] = input
      unsafe plan.pointee.gatheredGains[count] = plan.pointee.heardGains[place]
      unsafe plan.pointee.gatheredSteps[count] = plan.pointee.heardSteps[place]
      count += 1
    }
    return count
  }

  /// Puts the inputs of an output that stand still and are there side by side, with their places in its list.
  ///
  /// - Returns: Their number.
  @_noLocks
  @_noAllocation
  private mutating func gatherPlaces(of output: RenderPlan.Output) -> Int {
    var count = 0
    for place in 0..<output.steadyCount {
      let input = unsafe plan.pointee.heardInputs[Int(output.firstCell + place)]
      guard let samples = unsafe plan.pointee.sources[Int(input)].samples else { continue }
      unsafe plan.pointee.gatheredInputs[count] = samples
      unsafe plan.pointee.gatheredPlaces[count] = place
      count += 1
    }
    return count
  }
}
