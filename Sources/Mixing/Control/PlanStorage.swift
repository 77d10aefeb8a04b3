// SPDX-License-Identifier: MIT

import CMixKernels
import Realtime

/// Owns a plan: its arrays, and the blocks that they point to.
///
/// Belongs to the control thread. The engine releases a plan when the audio thread has adopted a later
/// one.
@safe
final class PlanStorage {
  let plan: UnsafeMutablePointer<RenderPlan>
  let serial: UInt32
  let tag: UInt64
  private let blocks: Blocks
  private var memory: [UnsafeMutableRawPointer] = unsafe []

  /// The blocks that a plan points to and keeps alive.
  struct Blocks {
    var strips: [StripBlock] = []
    /// The end of the crossfader to which each strip belongs.
    var crossfaderSides: [StripSpec.CrossfaderSide] = []
    var crossfaderCurve = CrossfaderSpec.Curve.equalPower
    /// Frames of the ramp that a move of the crossfader by the audio thread makes.
    var crossfadeFrames: UInt32 = 0
    var routes: [RouteBlock] = []
    var limiters: [LimiterBlock] = []
    var sends: [SendBlock] = []
    /// Cells of strips and routes that are gone, or that are left out because they are silent.
    var awaited: [SendBlock] = []
  }

  init(serial: UInt32, tag: UInt64, blocks: Blocks) {
    self.serial = serial
    self.tag = tag
    self.blocks = blocks
    unsafe plan = .allocate(capacity: 1)
    let inputs = blocks.strips.reduce(0) { $0 + $1.channels }
    let outputs = blocks.routes.reduce(0) { $0 + $1.channels }
    let cells = blocks.sends.count
    let ramps =
      blocks.strips.count * StripState.Factor.allCases.count
      + blocks.routes.count * RouteState.Factor.allCases.count + cells
    unsafe plan.initialize(
      to: RenderPlan(
        serial: serial,
        tag: tag,
        inputCount: inputs,
        crossfaderCurve: blocks.crossfaderCurve,
        crossfadeFrames: blocks.crossfadeFrames,
        strips: array(blocks.strips.count),
        routes: array(blocks.routes.count),
        outputs: array(outputs),
        cells: array(cells),
        awaited: array(blocks.awaited.count),
        moving: array(ramps),
        heardInputs: array(cells),
        heardGains: array(cells),
        heardSteps: array(cells),
        heardStates: array(cells),
        leaders: array(outputs),
        sums: array(1),
        singles: array(outputs),
        pairs: array(outputs),
        groups: array(outputs),
        groupGains: array(cells),
        groupOutputs: array(outputs),
        outputLevels: array(outputs),
        outputLimits: array(outputs),
        meteredOutputs: array(outputs),
        gatheredInputs: array(cells),
        gatheredGains: array(cells),
        gatheredSteps: array(cells),
        inputIsHeard: array(inputs),
        metered: array(inputs),
        readPlaces: array(inputs),
        inputs: array(inputs + 1),
        activeRoutes: array(blocks.routes.count),
        idleOutputs: array(outputs),
      )
    )
    initializeLists()
    let firstInputs = fillStrips()
    fillRoutes(firstInputs: firstInputs)
    for (index, send) in blocks.awaited.enumerated() {
      unsafe plan.pointee.awaited.initializeElement(at: index, to: send.state)
    }
  }

  deinit {
    for index in unsafe memory.indices { unsafe memory[index].deallocate() }
    unsafe plan.deallocate()
  }

  private func initializeLists() {
    let silence = MixLevel(peak: 0, squares: 0)
    unsafe plan.pointee.inputs.initialize(
      repeating: MixInput(samples: nil, level: silence, cycle: 0)
    )
    unsafe plan.pointee.outputLevels.initialize(repeating: silence)
    unsafe plan.pointee.sums.initialize(
      repeating: MixGroups(
        singles: plan.pointee.singles.baseAddress,
        single_count: 0,
        pairs: plan.pointee.pairs.baseAddress,
        pair_count: 0,
        groups: plan.pointee.groups.baseAddress,
        count: 0,
        inputs: plan.pointee.heardInputs.baseAddress,
        gains: plan.pointee.groupGains.baseAddress,
        outputs: plan.pointee.groupOutputs.baseAddress,
        input_room: plan.pointee.gatheredInputs.baseAddress,
        gain_room: plan.pointee.gatheredGains.baseAddress,
      )
    )
  }

  private func array<Element>(_ count: Int) -> UnsafeMutableBufferPointer<Element> {
    let pointer = UnsafeMutablePointer<Element>.allocate(capacity: max(1, count))
    unsafe memory.append(UnsafeMutableRawPointer(pointer))
    return unsafe UnsafeMutableBufferPointer(start: pointer, count: count)
  }

  /// - Returns: The first input of each strip, by group.
  private func fillStrips() -> [UInt32: Int32] {
    var firstInputs: [UInt32: Int32] = [:]
    var input: Int32 = 0
    for (index, strip) in blocks.strips.enumerated() {
      firstInputs[strip.ramps.groupID] = input
      unsafe plan.pointee.strips.initializeElement(
        at: index,
        to: RenderPlan.Strip(
          state: strip.state,
          taps: strip.meters.taps,
          faults: strip.meters.faultCells,
          firstInput: input,
          channels: Int32(strip.channels),
          crossfaderSide: Self.number(of: blocks.crossfaderSides[index]),
        ),
      )
      input += Int32(strip.channels)
    }
    return firstInputs
  }

  private func fillRoutes(firstInputs: [UInt32: Int32]) {
    let strips = Dictionary(uniqueKeysWithValues: blocks.strips.map { ($0.ramps.groupID, $0) })
    let sends = Dictionary(grouping: blocks.sends) { Output(route: $0.key.route, $0.key.output) }
    var output: Int32 = 0
    var cell = 0
    for (index, route) in blocks.routes.enumerated() {
      unsafe plan.pointee.routes.initializeElement(
        at: index,
        to: RenderPlan.Route(
          state: route.state,
          taps: route.meters.taps,
          limiter: blocks.limiters[index].pointer,
          delay: route.delay?.state,
          firstOutput: output,
          channels: Int32(route.channels),
        ),
      )
      for channel in 0..<route.channels {
        let first = cell
        // In the order of the inputs, so that outputs with the same inputs are found to be alike.
        let arriving = (sends[Output(route: route.ramps.groupID, channel)] ?? [])
          .map { (place: place(of: $0.key, firstInputs), send: $0) }
          .sorted { $0.place < $1.place }
          .map(\.send)
        for send in arriving {
          guard let strip = strips[send.key.strip],
            let firstInput = firstInputs[send.key.strip]
          else { continue }
          unsafe plan.pointee.cells.initializeElement(
            at: cell,
            to: RenderPlan.Cell(
              state: send.state,
              strip: strip.state,
              route: route.state,
              input: firstInput + Int32(send.key.input),
              tapIndex: send.key.tap.rawValue,
            ),
          )
          cell += 1
        }
        unsafe plan.pointee.outputs.initializeElement(
          at: Int(output),
          to: RenderPlan.Output(firstCell: Int32(first), cellCount: Int32(cell - first)),
        )
        output += 1
      }
    }
  }

  /// The input of a cell, and then its tap: what cells of an output are ordered by.
  private func place(of key: SendBlock.Key, _ firstInputs: [UInt32: Int32]) -> (Int, Int) {
    (Int(firstInputs[key.strip] ?? 0) + key.input, key.tap.rawValue)
  }

  private static func number(of side: StripSpec.CrossfaderSide) -> Double {
    switch side {
    case .a: 1
    case .b: -1
    case .none: 0
    }
  }

  /// A channel of a route.
  private struct Output: Hashable {
    let route: UInt32
    let channel: Int

    init(route: UInt32, _ channel: Int) {
      self.route = route
      self.channel = channel
    }
  }
}
