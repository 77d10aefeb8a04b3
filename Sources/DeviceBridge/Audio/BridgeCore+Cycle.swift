// SPDX-License-Identifier: MIT

internal import CZitaResampler
internal import JACK
internal import Realtime
internal import Synchronization

/// The callback of a bridge. [audio-thread]
@c(multiroute_bridge_process) @_noLocks @_noAllocation
func bridgeProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: BridgeCore.self) { core, scope in
    unsafe core.pointee.cycle(scope)
  }
}

extension BridgeCore {
  /// One cycle of JACK. [audio-thread & active]
  @_noLocks @_noAllocation
  mutating func cycle(_ scope: borrowing ProcessScope) {
    let frames = Int(scope.frames)
    takeStamps()
    let isFreewheeling = unsafe telemetry.pointee.isFreewheeling.load(ordering: .relaxed)
    stampCycle(scope, isFreewheeling: isFreewheeling)
    if isFreewheeling {
      // Afterwards everything is timed anew.
      if !controller.state.isLost {
        controller.restartJACK()
        controller.lose()
      }
      pass(scope, isRunning: false)
    } else {
      updateTarget(frames)
      let decision = controller.step(
        jackFrames: cycles.audioFrames,
        periodFrames: frames,
        positionFrames: position,
        direction: direction,
      )
      apply(decision)
      pass(scope, isRunning: decision.isRunning)
    }
    cycles.end(frames: frames)
    report()
  }

  @_noLocks @_noAllocation
  private mutating func takeStamps() {
    while let stamp = stamps.pop() {
      if stamp.epoch != epoch {
        epoch = stamp.epoch
        isPlaceNew = true
        controller.restartDevice()
      }
      devicePeriodFrames = Double(stamp.periodFrames)
      controller.addDeviceStamp(frames: stamp.frames, nanoseconds: stamp.nanoseconds)
    }
  }

  /// The target delay: two periods, the filter's delay, and the configured extra delay.
  @_noLocks @_noAllocation
  private mutating func updateTarget(_ frames: Int) {
    jackPeriodFrames = frames
    let ratio = deviceRateHz / jackRateHz
    let filter = Double(halfLength) * max(1, ratio)
    let slack = slackSeconds * deviceRateHz
    let target = devicePeriodFrames + Double(frames) * ratio + filter + slack
    let short = direction.isPlayback ? devicePeriodFrames : slack / 2
    controller.setTarget(
      delayFrames: target,
      shortLimitFrames: max(24, short),
      longLimitFrames: devicePeriodFrames + Double(frames) * ratio,
    )
  }

  /// The position of the next frame between resampler and ring, in frames of the device.
  private var position: Double {
    @_noLocks @_noAllocation get {
      let whole = Double(ringPosition + offsetFrames)
      let distance = unsafe zita_resampler_input_distance(resampler)
      // Towards the device the distance is in frames of JACK.
      return direction.isPlayback ? whole + distance * controller.clockRatio : whole - distance
    }
  }

  @_noLocks @_noAllocation
  private mutating func apply(_ decision: BridgeController.Decision) {
    guard decision.isRunning else { return }
    if !isRunning || isPlaceNew { fadeFramesLeft = Self.fadeFrames }
    if !isRunning || isPlaceNew || decision.pointerMoveFrames != 0 {
      movePointer(by: decision.pointerMoveFrames)
    }
    isPlaceNew = false
    let nominal = deviceRateHz / jackRateHz
    let relative = decision.ratio / nominal
    unsafe zita_resampler_set_relative_ratio(
      resampler,
      direction.isPlayback ? relative : 1 / relative,
    )
  }

  /// Longer by `frames`, or shorter by `-frames`. [audio-thread]
  @_noLocks @_noAllocation
  mutating func movePointer(by frames: Int) {
    switch direction {
    case .playback:
      offsetFrames += Int64(frames)
      _ = alignments.push(Alignment(epoch: epoch, offsetFrames: offsetFrames))
    case .capture where frames > 0:
      silentFrames += frames
      ringPosition -= Int64(frames)
    case .capture:
      owedFrames -= frames
      ringPosition -= Int64(frames)
    }
  }

  @_noLocks @_noAllocation
  private mutating func pass(_ scope: borrowing ProcessScope, isRunning runs: Bool) {
    if !runs, isRunning { unsafe zita_resampler_reset(resampler) }
    isRunning = runs
    unsafe telemetry.pointee.isSending.store(runs, ordering: .relaxed)
    switch direction {
    case .playback: if runs { play(scope) }
    case .capture: if runs { capture(scope) } else { rest(scope) }
    }
  }

  /// The time of a fade-in: no clicks when sound begins.
  static var fadeFrames: Int { @_noLocks @_noAllocation get { 480 } }

  /// The gain of the next frame of a fade-in. [audio-thread]
  @_noLocks @_noAllocation
  mutating func nextFadeGain() -> Float {
    guard fadeFramesLeft > 0 else { return 1 }
    fadeFramesLeft -= 1
    return 1 - Float(fadeFramesLeft) / Float(Self.fadeFrames)
  }

  @_noLocks @_noAllocation
  private func report() {
    unsafe telemetry.pointee.lock.store(controller.state.code, ordering: .relaxed)
    let ratio = deviceRateHz / jackRateHz
    unsafe telemetry.pointee.store(controller.offsetPPM, in: telemetry.pointee.offsetPPM)
    unsafe telemetry.pointee.store(controller.errorFrames, in: telemetry.pointee.errorFrames)
    unsafe telemetry.pointee.store(
      controller.targetDelayFrames / ratio,
      in: telemetry.pointee.delayFrames,
    )
    let jackSteps = controller.jackClock.steps
    unsafe telemetry.pointee.jackSteps.store(jackSteps, ordering: .relaxed)
    let deviceSteps = controller.deviceClock.steps
    unsafe telemetry.pointee.deviceSteps.store(deviceSteps, ordering: .relaxed)
    unsafe telemetry.pointee.resyncs.store(controller.resyncs, ordering: .relaxed)
    unsafe telemetry.pointee.missedCycles.store(missedCycles, ordering: .relaxed)
    unsafe telemetry.pointee.fillFrames.store(reader.readableFrames, ordering: .relaxed)
  }
}
