// SPDX-License-Identifier: MIT

import CMixKernels
import Realtime

extension RenderCore {
  /// Lists the audible cells of the matrix for times in which no gain moves.
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  mutating func listHeardAtRest(isFirstSlice: Bool) {
    for index in unsafe 0..<plan.pointee.cells.count {
      let state = unsafe plan.pointee.cells[index].state
      unsafe state.pointee.endGain = state.pointee.gain
    }
    listHeard(isFirstSlice: isFirstSlice)
    areListsStale = !isFirstSlice
  }

  /// Lists, for each output, the cells that stand still and then those that move.
  ///
  /// - Parameter isFirstSlice: Whether the cycle begins here. A route that was heard earlier in a
  ///   cycle stays active to its end, because it is limited and metered then.
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  mutating func listHeard(isFirstSlice: Bool) {
    for input in unsafe 0..<plan.pointee.inputCount {
      unsafe plan.pointee.inputIsHeard[input] = false
    }
    for index in unsafe 0..<plan.pointee.outputs.count {
      var output = unsafe plan.pointee.outputs[index]
      let first = Int(output.firstCell)
      let end = first + Int(output.cellCount)
      var place = first
      for cell in first..<end where gainStep(cell) == 0 {
        if unsafe plan.pointee.cells[cell].state.pointee.gain != 0 {
          list(cell, step: 0, at: place)
          place += 1
        }
      }
      output.steadyCount = Int32(place - first)
      for cell in first..<end {
        let step = gainStep(cell)
        if step != 0 {
          list(cell, step: step, at: place)
          place += 1
        }
      }
      output.movingCount = Int32(place - first) - output.steadyCount
      output.nextAlike = -1
      output.isLed = false
      unsafe plan.pointee.outputs[index] = output
    }
    listAlike()
    listRoutes(isFirstSlice: isFirstSlice)
    listGroups()
    listMetered()
  }

  /// Finds the outputs that take the same inputs in the same order, whose samples need to be loaded only once.
  ///
  /// Looks at the latest few only, so that the time grows with the outputs and not with their square.
  @_noLocks
  @_noAllocation
  private mutating func listAlike() {
    var leaderCount = 0
    for index in unsafe 0..<plan.pointee.outputs.count {
      // A single input is copied, which is as fast.
      guard unsafe plan.pointee.outputs[index].steadyCount > 1 else { continue }
      var place = leaderCount
      let end = max(0, leaderCount - Self.leadersLookedAt)
      while place > end {
        let leader = unsafe Int(plan.pointee.leaders[place - 1])
        if areAlike(leader, index) {
          unsafe plan.pointee.outputs[index].nextAlike = plan.pointee.outputs[leader].nextAlike
          unsafe plan.pointee.outputs[index].isLed = true
          unsafe plan.pointee.outputs[leader].nextAlike = Int32(index)
          break
        }
        place -= 1
      }
      if place == end {
        unsafe plan.pointee.leaders[leaderCount] = Int32(index)
        leaderCount += 1
      }
    }
  }

  /// Whether two outputs take the same inputs, in the same order, at gains that stand still.
  @_noLocks
  @_noAllocation
  private func areAlike(_ left: Int, _ right: Int) -> Bool {
    let leftOutput = unsafe plan.pointee.outputs[left]
    let rightOutput = unsafe plan.pointee.outputs[right]
    guard leftOutput.steadyCount == rightOutput.steadyCount else { return false }
    for index in 0..<Int(leftOutput.steadyCount) {
      let leftInput = unsafe plan.pointee.heardInputs[Int(leftOutput.firstCell) + index]
      let rightInput = unsafe plan.pointee.heardInputs[Int(rightOutput.firstCell) + index]
      guard leftInput == rightInput else { return false }
    }
    return true
  }

  private static var leadersLookedAt: Int {
    @_noLocks @_noAllocation
    get { 8 }
  }

  /// Parts the routes that have something to do from those that are only cleared.
  @_noLocks
  @_noAllocation
  private mutating func listRoutes(isFirstSlice: Bool) {
    guard let levels = unsafe plan.pointee.outputLevels.baseAddress else { return }
    var activeCount = 0
    var idleCount = 0
    var meteredCount = 0
    var firstActive = 0
    var lastActive = -1
    var areAllHeard = true
    for index in unsafe 0..<plan.pointee.routes.count {
      var route = unsafe plan.pointee.routes[index]
      let first = Int(route.firstOutput)
      let end = first + Int(route.channels)
      route.isHeard = false
      for output in first..<end {
        route.isHeard = unsafe route.isHeard || plan.pointee.outputs[output].isHeard
      }
      let wasActive = !isFirstSlice && route.isActive
      route.isActive = route.isHeard || wasActive || !route.isAtRest
      unsafe plan.pointee.routes[index] = route
      if route.isActive {
        unsafe plan.pointee.activeRoutes[activeCount] = Int32(index)
        activeCount += 1
        areAllHeard = areAllHeard && route.isHeard
        let limit = route.limit
        if meteredCount == 0 { firstActive = first }
        lastActive = end - 1
        for output in first..<end {
          unsafe plan.pointee.outputLimits[output] = limit
          unsafe plan.pointee.meteredOutputs[meteredCount] = MixMeteredOutput(
            taps: route.taps + (output - first),
            level: UnsafePointer(levels + output),
          )
          meteredCount += 1
        }
      } else {
        for output in first..<end {
          unsafe plan.pointee.outputLevels[output] = MixLevel(peak: 0, squares: 0)
          unsafe plan.pointee.outputLimits[output] = MixLevel(peak: 0, squares: 0)
          unsafe plan.pointee.idleOutputs[idleCount] = Int32(output)
          idleCount += 1
        }
      }
    }
    unsafe plan.pointee.meteredOutputCount = meteredCount
    unsafe plan.pointee.firstActiveOutput = firstActive
    unsafe plan.pointee.activeOutputSpan = lastActive + 1 - firstActive
    unsafe plan.pointee.areActiveRoutesHeard = areAllHeard
    unsafe plan.pointee.activeRouteCount = activeCount
    unsafe plan.pointee.idleOutputCount = idleCount
  }

  /// Packs what stands still for the kernels: the outputs of active routes with a single input, with two of their own, and in
  /// groups that are summed together, with their gains.
  @_noLocks
  @_noAllocation
  private mutating func listGroups() {
    var groups: Int32 = 0
    var gains: Int32 = 0
    var outputs: Int32 = 0
    var singles = 0
    var pairs = 0
    for index in unsafe 0..<plan.pointee.activeRouteCount {
      let route = unsafe plan.pointee.routes[Int(plan.pointee.activeRoutes[index])]
      for leader in route.firstOutput..<route.firstOutput + route.channels
      where unsafe !plan.pointee.outputs[Int(leader)].isLed {
        let first = unsafe plan.pointee.outputs[Int(leader)].firstCell
        let inputs = unsafe plan.pointee.outputs[Int(leader)].steadyCount
        if inputs == 1 {
          unsafe plan.pointee.singles[singles] = MixSingle(
            input: plan.pointee.heardInputs[Int(first)],
            output: leader,
            gain: plan.pointee.heardGains[Int(first)],
          )
          singles += 1
          continue
        }
        var left = outputsFrom(leader)
        if inputs == 2, left == 1 {
          unsafe plan.pointee.pairs[pairs] = pair(from: Int(first), into: leader)
          pairs += 1
          continue
        }
        var member = leader
        // As many as possible, two, or one at a time.
        while left > 0 {
          let together = left >= outputsTogether ? outputsTogether : min(2, left)
          unsafe plan.pointee.groups[Int(groups)] = MixGroup(
            first_input: first,
            count: inputs,
            first_gain: gains,
            first_output: outputs,
            outputs: together,
          )
          for place in 0..<together {
            let output = unsafe plan.pointee.outputs[Int(member)]
            for input in 0..<inputs {
              unsafe plan.pointee.groupGains[Int(gains + input * together + place)] =
                plan.pointee.heardGains[Int(output.firstCell + input)]
            }
            unsafe plan.pointee.groupOutputs[Int(outputs + place)] = member
            member = output.nextAlike
          }
          groups += 1
          gains += inputs * together
          outputs += together
          left -= together
        }
      }
    }
    unsafe plan.pointee.sums[0].single_count = Int32(singles)
    unsafe plan.pointee.sums[0].pair_count = Int32(pairs)
    unsafe plan.pointee.sums[0].count = groups
  }

  /// Two inputs that are heard in one output, from their place in the lists.
  @_noLocks
  @_noAllocation
  private func pair(from first: Int, into output: Int32) -> MixPair {
    MixPair(
      inputs: unsafe (plan.pointee.heardInputs[first], plan.pointee.heardInputs[first + 1]),
      output: output,
      gains: unsafe (plan.pointee.heardGains[first], plan.pointee.heardGains[first + 1]),
    )
  }

  /// The number of outputs that an output leads, itself included.
  @_noLocks
  @_noAllocation
  private func outputsFrom(_ leader: Int32) -> Int32 {
    var count: Int32 = 0
    var member = leader
    while member >= 0 {
      count += 1
      member = unsafe plan.pointee.outputs[Int(member)].nextAlike
    }
    return count
  }

  /// The change of a cell's gain from frame to frame.
  @_noLocks
  @_noAllocation
  private func gainStep(_ cell: Int) -> Float {
    let state = unsafe plan.pointee.cells[cell].state
    let change = unsafe state.pointee.endGain - state.pointee.gain
    // In a cell of length 0 gains jump at its end; samples are not rendered before that.
    return cellLength == 0 ? 0 : change / Float(cellLength)
  }

  @_noLocks
  @_noAllocation
  private mutating func list(_ cell: Int, step: Float, at place: Int) {
    let listed = unsafe plan.pointee.cells[cell]
    unsafe plan.pointee.heardInputs[place] = listed.input
    unsafe plan.pointee.heardGains[place] = listed.state.pointee.gain
    unsafe plan.pointee.heardSteps[place] = step
    unsafe plan.pointee.heardStates[place] = listed.state
    unsafe plan.pointee.inputIsHeard[Int(listed.input)] = true
  }

  /// Lists the inputs that are read, and those whose meters still have to fall.
  ///
  /// An input that nobody hears is read only while somebody watches the levels.
  @_noLocks
  @_noAllocation
  private mutating func listMetered() {
    guard let inputs = unsafe plan.pointee.inputs.baseAddress else { return }
    var count = 0
    var readCount = 0
    for index in unsafe 0..<plan.pointee.strips.count {
      let strip = unsafe plan.pointee.strips[index]
      for channel in 0..<Int(strip.channels) {
        let input = strip.firstInput + Int32(channel)
        let taps = unsafe strip.taps + channel
        let isHeard = unsafe plan.pointee.inputIsHeard[Int(input)]
        let isRead = isHeard || isWatched
        if unsafe isRead || !mix_taps_are_at_rest(taps) {
          // Behind the inputs there is one that is always silent.
          let place = unsafe isRead ? Int(input) : plan.pointee.inputCount
          unsafe plan.pointee.metered[count] = MixMetered(
            taps: taps,
            input: UnsafePointer(inputs + place),
            // Without an open send the meter behind the fader falls.
            gains: (1, isHeard ? strip.state.pointee.gainBehindFader : 0),
            is_heard: isHeard,
          )
          count += 1
        }
        if isRead {
          unsafe plan.pointee.readPlaces[readCount] = input
          readCount += 1
        }
      }
    }
    unsafe plan.pointee.meteredCount = count
    unsafe plan.pointee.readCount = readCount
  }
}
