// SPDX-License-Identifier: MIT

extension EngineControl {
  /// Brings blocks and plan in line with a spec, which must be valid.
  ///
  /// Changed values become commands. Only a change of structure (strips, routes, a send that was
  /// silent, a look-ahead) makes a new plan. A send that becomes silent stays in the plan as a cell
  /// with gain 0, which is inaudible and free, until the next plan is made.
  ///
  /// - Parameters:
  ///   - newSpec: The mix to have.
  ///   - time: The duration of the ramps.
  ///   - newTag: Names the arrangement of inputs and outputs.
  ///   - isFirst: Whether this is the first mix, which does not fade in.
  ///   - reporting: A send whose arrival is reported, and the report's id.
  func reconcile(
    to newSpec: MixSpec,
    by time: RampTime,
    tag newTag: UInt64,
    isFirst: Bool = false,
    reporting: (send: SendSpec, id: UInt32)? = nil,
  ) {
    var commands: [Command] = []
    var isNewShape =
      isFirst || newTag != tag || newSpec.strips.map(\.id) != spec.strips.map(\.id)
      || newSpec.routes.map(\.id) != spec.routes.map(\.id)
      || newSpec.strips.map(\.crossfaderSide) != spec.strips.map(\.crossfaderSide)
      || newSpec.crossfader.curve != spec.crossfader.curve
    if newSpec.crossfader != spec.crossfader { areCrossfaderCommandsWaiting = true }

    let left = dropBlocks(notIn: newSpec)
    isNewShape = isNewShape || left.hasLeft
    commands += left.hasLeft ? fadeOutCells(ofStripsAndRoutesNotIn: left, by: time) : []
    let added = Set(newSpec.routes.map(\.id)).subtracting(routes.keys)
    spec = newSpec
    tag = newTag
    commands += updateFactors(by: time)
    isNewShape = updateLimiters(&commands) || isNewShape
    isNewShape = updateDelays(&commands, addedRoutes: added) || isNewShape
    isNewShape =
      updateCells(&commands, by: time, fadesIn: !isFirst, reporting: reporting) || isNewShape

    enqueue(commands)
    if isNewShape { makePlan() }
    flush()
  }

  // MARK: Removed parts

  /// Groups that have no block any more.
  private struct Left {
    var strips: Set<UInt32> = []
    var routes: Set<UInt32> = []
    var hasLeft: Bool { !strips.isEmpty || !routes.isEmpty }
  }

  private func dropBlocks(notIn newSpec: MixSpec) -> Left {
    let stripChannels = Dictionary(
      uniqueKeysWithValues: newSpec.strips.map { ($0.id, $0.channels) }
    )
    let routeChannels = Dictionary(
      uniqueKeysWithValues: newSpec.routes.map { ($0.id, $0.channels) }
    )
    var left = Left()
    for (id, block) in strips where stripChannels[id] != block.channels {
      left.strips.insert(block.ramps.groupID)
      strips[id] = nil
    }
    for (id, block) in routes where routeChannels[id] != block.channels {
      left.routes.insert(block.ramps.groupID)
      routes[id] = nil
    }
    return left
  }

  private func fadeOutCells(
    ofStripsAndRoutesNotIn left: Left,
    by time: RampTime,
  ) -> [Command] {
    var commands: [Command] = []
    for (key, send) in sends
    where left.strips.contains(key.strip) || left.routes.contains(key.route) {
      sends[key] = nil
      sendKeys[send.ramps.groupID] = nil
      send.departedBefore = .max
      departing.append(send)
      if send.target != 0 { commands.append(send.ramps.retarget(0, to: 0, by: time)) }
    }
    return commands
  }

  // MARK: New and changed parts

  private func updateFactors(by time: RampTime) -> [Command] {
    let isAnySoloed = spec.isAnySoloed
    var commands: [Command] = []
    for strip in spec.strips {
      let factors = spec.factors(ofStrip: strip, isAnySoloed: isAnySoloed)
      if let block = strips[strip.id] {
        commands += block.ramps.changes(to: factors, by: time)
      } else {
        let block = StripBlock(
          groupID: nextGroupID(),
          channels: strip.channels,
          factors: factors,
          taps: taps,
        )
        strips[strip.id] = block
        stripNames[block.ramps.groupID] = strip.id
      }
    }
    for route in spec.routes {
      if let block = routes[route.id] {
        commands += block.ramps.changes(to: route.factors, by: time)
      } else {
        routes[route.id] = RouteBlock(
          groupID: nextGroupID(),
          spec: route,
          sampleRateHz: configuration.sampleRateHz,
          taps: taps,
        )
      }
    }
    return commands
  }

  /// - Returns: Whether any limiter had to be replaced.
  private func updateLimiters(_ commands: inout [Command]) -> Bool {
    var isNewShape = false
    for route in spec.routes {
      guard let block = routes[route.id] else { continue }
      let values = LimiterValues(route.limiter, sampleRateHz: configuration.sampleRateHz)
      if values.lookaheadFrames != block.limiter.values.lookaheadFrames {
        block.limiter = LimiterBlock(channels: block.channels, values: values)
        isNewShape = true
      } else if values != block.limiter.values {
        commands.append(block.limiter.set(values))
      }
    }
    return isNewShape
  }

  /// - Returns: Whether any route is delayed for the first time.
  private func updateDelays(_ commands: inout [Command], addedRoutes: Set<String>) -> Bool {
    var isNewShape = false
    let rate = configuration.sampleRateHz
    let longest = Int((RouteSpec.longestDelaySeconds * rate).rounded(.up))
    for route in spec.routes {
      guard let block = routes[route.id] else { continue }
      let frames = min(route.delayFrames, longest)
      if let delay = block.delay {
        if delay.frames != frames { commands.append(delay.set(frames: frames)) }
      } else if frames > 0 {
        block.delay = DelayBlock(
          channels: block.channels,
          frames: frames,
          isNew: addedRoutes.contains(route.id),
          sampleRateHz: rate,
        )
        isNewShape = true
      }
    }
    return isNewShape
  }

  /// - Returns: Whether there are new cells.
  private func updateCells(
    _ commands: inout [Command],
    by time: RampTime,
    fadesIn: Bool,
    reporting: (send: SendSpec, id: UInt32)?,
  ) -> Bool {
    var hasNew = false
    var wanted: Set<SendBlock.Key> = []
    // One cell reports for all cells of the send: they move together.
    var reportID = reporting?.id ?? 0
    for cell in spec.matrixCells {
      let strip = spec.strips[cell.strip]
      let route = spec.routes[cell.route]
      guard let key = key(of: cell) else { continue }
      wanted.insert(key)
      let isChanged = sends[key].map { $0.target != cell.coefficient } ?? true
      // A cell of a fallback stands still, unless the send that has gone was heard there, too.
      let isReporting =
        reportID != 0 && cell.tap != .cue && strip.id == reporting?.send.strip
        && route.id == reporting?.send.route && (isChanged || !cell.isOfFallback)
      if let send = sends[key] {
        guard isReporting || isChanged else { continue }
        let id = isReporting ? reportID : 0
        commands.append(send.ramps.retarget(0, to: cell.coefficient, by: time, reportID: id))
        send.isSettled = false
      } else {
        let send = SendBlock(groupID: nextGroupID(), key: key, coefficient: cell.coefficient)
        if fadesIn { send.ramps.fadeIn(0, by: time, reportID: isReporting ? reportID : 0) }
        sends[key] = send
        sendKeys[send.ramps.groupID] = key
        hasNew = true
      }
      if isReporting { reportID = 0 }
    }
    silence(allBut: wanted, &commands, by: time, reportID: &reportID)
    if reportID != 0 { commands.append(Command(report: reportID)) }
    return hasNew
  }

  /// Sends the cells that are not wanted any more to silence; a report that is open yet is that of one of them, because a
  /// change with a report is that of one send.
  private func silence(
    allBut wanted: Set<SendBlock.Key>,
    _ commands: inout [Command],
    by time: RampTime,
    reportID: inout UInt32,
  ) {
    for (key, send) in sends where !wanted.contains(key) && send.target != 0 {
      commands.append(send.ramps.retarget(0, to: 0, by: time, reportID: reportID))
      reportID = 0
    }
  }

  private func key(of cell: MatrixCell) -> SendBlock.Key? {
    guard let strip = strips[spec.strips[cell.strip].id],
      let route = routes[spec.routes[cell.route].id]
    else { return nil }
    return SendBlock.Key(
      strip: strip.ramps.groupID,
      route: route.ramps.groupID,
      input: cell.input,
      output: cell.output,
      tap: cell.tap,
    )
  }

  // MARK: Plans

  private func makePlan() {
    let serial = (plans.last?.serial ?? 0) + 1
    for send in departing where send.departedBefore == .max { send.departedBefore = serial }
    for send in sends.values where send.target == 0 && send.isSettled {
      sends[send.key] = nil
      sendKeys[send.ramps.groupID] = nil
      // A report from before the last change can be late; the audio thread knows.
      send.departedBefore = serial
      departing.append(send)
    }
    let stripOrder = Dictionary(
      uniqueKeysWithValues: spec.strips.enumerated().compactMap { place, strip in
        strips[strip.id].map { ($0.ramps.groupID, place) }
      }
    )
    // In the order of the inputs, so that sums come out the same however the mix came about.
    let ordered = sends.values.sorted {
      let first = (stripOrder[$0.key.strip] ?? 0, $0.key.input, $0.key.tap.rawValue)
      let second = (stripOrder[$1.key.strip] ?? 0, $1.key.input, $1.key.tap.rawValue)
      return first < second
    }
    let heldStrips = spec.strips.filter { strips[$0.id] != nil }
    let heldRoutes = spec.routes.compactMap { routes[$0.id] }
    let plan = PlanStorage(
      serial: serial,
      tag: tag,
      blocks: PlanStorage.Blocks(
        strips: heldStrips.compactMap { strips[$0.id] },
        crossfaderSides: heldStrips.map(\.crossfaderSide),
        crossfaderCurve: spec.crossfader.curve,
        crossfadeFrames: time(.standard).frames,
        routes: heldRoutes,
        limiters: heldRoutes.map(\.limiter),
        sends: ordered,
        awaited: departing,
      ),
    )
    plans.append(plan)
    pendingPlan = plan
    let names = Set(spec.strips.compactMap { strips[$0.id]?.ramps.groupID })
    stripNames = stripNames.filter { names.contains($0.key) }
  }
}
