// SPDX-License-Identifier: MIT

import Realtime

/// The control side of an engine: the mix that was asked for, the blocks that the audio thread works
/// with, and the commands that have not arrived there yet.
///
/// [control-thread] all of it, behind the engine's mutex.
@safe
final class EngineControl {
  let configuration: MixEngine.Configuration
  /// The time that the standard fade takes, in seconds.
  var standardFadeSeconds: Double
  var spec: MixSpec
  var tag: UInt64

  var strips: [String: StripBlock] = [:]
  var routes: [String: RouteBlock] = [:]
  var sends: [SendBlock.Key: SendBlock] = [:]
  /// Cells of strips and routes that are gone, fading out under the plan before.
  var departing: [SendBlock] = []
  /// Names of the groups whose ramps report.
  var stripNames: [UInt32: String] = [:]
  var sendKeys: [UInt32: SendBlock.Key] = [:]
  private var lastGroupID: UInt32 = 0

  /// Reports that gains change; must not call the engine.
  var onChange: (@Sendable () -> Void)?

  /// Whether the audio thread reads inputs for their levels alone.
  private var watchesLevels = false

  /// All plans that the audio thread may still use, the newest last.
  var plans: [PlanStorage] = []
  /// Commands and plan that have found no room yet.
  var pending: [Command] = []
  var pendingPlan: PlanStorage?
  /// Whether commands for the crossfader are not in the queue yet.
  var areCrossfaderCommandsWaiting = false
  /// The end of the last command for the crossfader, as the queue counts.
  private var crossfaderCommandsEnd: UInt32 = 0
  /// The newest move of the audio thread, as commands for the strips of a plan that came later.
  private var repeatedMove: [Command] = []

  /// The memory of all meters.
  let taps = TapsRoom()

  private let commandQueue: SPSCQueue<Command>
  private let reportQueue: SPSCQueue<RenderReport>
  private let planCell = PlanCell<RenderPlan>()
  private let core: UnsafeMutablePointer<RenderCore>

  init(_ spec: MixSpec, configuration: MixEngine.Configuration, tag: UInt64) {
    self.configuration = configuration
    standardFadeSeconds = configuration.standardFadeSeconds
    self.spec = MixSpec()
    self.tag = tag
    commandQueue = SPSCQueue(minimumCapacity: configuration.queueCapacity)
    reportQueue = SPSCQueue(minimumCapacity: configuration.queueCapacity)
    // The audio thread starts with an empty plan and takes the first one like any other.
    let empty = PlanStorage(serial: 1, tag: tag, blocks: PlanStorage.Blocks())
    plans = [empty]
    unsafe core = .allocate(capacity: 1)
    unsafe core.initialize(
      to: RenderCore(
        commands: commandQueue.consumer,
        reports: reportQueue.producer,
        newestPlan: planCell.endpoint,
        plan: empty.plan,
        sampleRateHz: configuration.sampleRateHz,
        cleanRoom: CleanRoom(),
      )
    )
    reconcile(to: spec, by: time(.none), tag: tag, isFirst: true)
  }

  deinit {
    unsafe core.pointee.cleanRoom.free()
    unsafe core.deallocate()
  }

  var renderer: MixRenderer { unsafe MixRenderer(core: core) }

  func nextGroupID() -> UInt32 {
    lastGroupID += 1
    return lastGroupID
  }

  /// A fade in whole frames.
  func time(_ fade: Fade) -> RampTime {
    let rate = configuration.sampleRateHz
    let frames =
      switch fade.length {
      case .standard: standardFadeSeconds * rate
      case .frames(let frames): Double(frames)
      case .seconds(let seconds): seconds * rate
      }
    // An hour at 768 kHz fits; a value that is not a number becomes a step.
    let allowed = frames.isNaN ? 0 : max(0, min(frames.rounded(), 4e9))
    return RampTime(
      frames: UInt32(allowed),
      shape: fade.shape,
      nanoseconds: UInt64(allowed / rate * 1e9),
    )
  }

  // MARK: To and from the audio thread

  /// Puts commands behind those that wait already; the last one for a ramp counts.
  func enqueue(_ commands: [Command]) {
    if !commands.isEmpty { onChange?() }
    if pending.isEmpty {
      pending = commands
      return
    }
    for command in commands {
      let same = pending.firstIndex {
        unsafe command.target != nil && $0.target == command.target
      }
      if let same { pending.remove(at: same) }
      pending.append(command)
    }
  }

  /// Sends waiting commands as far as there is room; a group that fits the queue is sent as a whole.
  func flush() {
    let producer = commandQueue.producer
    var batch = pending
    if let plan = pendingPlan {
      batch.insert(Command(awaitPlan: plan.serial), at: 0)
    }
    if batch.count <= producer.freeCount {
      _ = unsafe batch.withUnsafeBufferPointer { unsafe producer.push(contentsOf: $0) }
      pending = []
    } else if batch.count > commandQueue.capacity {
      // More than ever fits goes in pieces, and the plan after the last of them.
      let piece = Array(pending.prefix(producer.freeCount))
      _ = unsafe piece.withUnsafeBufferPointer { unsafe producer.push(contentsOf: $0) }
      pending.removeFirst(piece.count)
    }
    if pending.isEmpty, areCrossfaderCommandsWaiting {
      areCrossfaderCommandsWaiting = false
      crossfaderCommandsEnd = UInt32(truncatingIfNeeded: producer.position)
    }
    if pending.isEmpty, let plan = pendingPlan {
      pendingPlan = nil
      // One that is overtaken here stays in `plans` until a later one is in force, since
      // commands still in the queue may point into its blocks.
      _ = unsafe planCell.publish(plan.plan)
    }
  }

  /// Has the audio thread read inputs that nobody hears, or no longer.
  func watchLevels(_ isOn: Bool) {
    guard isOn != watchesLevels else { return }
    watchesLevels = isOn
    enqueue([Command(watchesLevels: isOn)])
    flush()
  }

  /// Takes the reports of the audio thread.
  func collect() -> [MixEvent] {
    var events: [MixEvent] = []
    while let report = reportQueue.consumer.pop() {
      switch report.kind {
      case .planAdopted: events += planAdopted(report)
      case .ramp: events += rampLanded(report)
      case .crossfader: events += crossfaderMoved(report)
      }
    }
    // Only now, because each move replaces the one before.
    if !repeatedMove.isEmpty {
      areCrossfaderCommandsWaiting = true
      enqueue(repeatedMove)
      repeatedMove = []
    }
    flush()
    return events
  }

  private func planAdopted(_ report: RenderReport) -> [MixEvent] {
    guard let plan = plans.first(where: { $0.serial == report.subject }) else { return [] }
    plans.removeAll { $0.serial < report.subject }
    departing.removeAll { $0.departedBefore <= report.subject }
    return [.planAdopted(tag: plan.tag, frame: report.frame)]
  }

  /// Follows the crossfader that the audio thread has moved, unless it was set again meanwhile.
  private func crossfaderMoved(_ report: RenderReport) -> [MixEvent] {
    let ahead = Int32(bitPattern: report.subject &- crossfaderCommandsEnd)
    guard !areCrossfaderCommandsWaiting, ahead >= 0 else { return [] }
    spec.crossfader.position = report.value
    let time = time(.standard)
    var commands: [Command] = []
    for strip in spec.strips where strip.crossfaderSide != .none {
      let command = strips[strip.id]?.ramps.retarget(
        StripState.Factor.crossfade.rawValue,
        to: spec.crossfader.gainLinear(side: strip.crossfaderSide),
        by: time,
      )
      if let command { commands.append(command) }
    }
    if plans.count > 1 || pendingPlan != nil {
      // A strip that came with a later plan than the move's stands where the crossfader was before.
      repeatedMove = commands
    } else {
      repeatedMove = []
      onChange?()
    }
    return [.crossfaderMoved(position: report.value, frame: report.frame)]
  }

  private func rampLanded(_ report: RenderReport) -> [MixEvent] {
    if report.rampKind == .send, report.value == 0, let key = sendKeys[report.subject],
      let send = sends[key], send.target == 0
    {
      send.isSettled = true
    }
    if report.rampKind == .gate, let strip = stripNames[report.subject] {
      return [
        report.value == 0
          ? .gateClosed(
            strip: strip,
            firstSilentFrame: report.frame,
            reportID: report.reportID,
          )
          : .gateOpened(strip: strip, frame: report.frame, reportID: report.reportID)
      ]
    }
    guard report.reportID != 0 else { return [] }
    return [.rampFinished(reportID: report.reportID, frame: report.frame)]
  }
}
