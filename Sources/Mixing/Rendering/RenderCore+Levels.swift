// SPDX-License-Identifier: MIT

import CMixKernels
import Realtime

extension RenderCore {
  /// Cleans, limits, delays and meters the mixed samples.
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  mutating func finishRoutes(
    outputs: UnsafePointer<UnsafeMutablePointer<Float>?>,
    frames: Int,
    areLevelsKnown: Bool,
  ) {
    guard let levels = unsafe plan.pointee.outputLevels.baseAddress,
      let limits = unsafe plan.pointee.outputLimits.baseAddress
    else { return }
    let needsOnlyMeters =
      unsafe areLevelsKnown && plan.pointee.areActiveRoutesHeard
      && mix_levels_pass(
        levels + plan.pointee.firstActiveOutput,
        limits + plan.pointee.firstActiveOutput,
        Int32(plan.pointee.activeOutputSpan),
      )
    if !needsOnlyMeters {
      for index in unsafe 0..<plan.pointee.activeRouteCount {
        let route = unsafe Int(plan.pointee.activeRoutes[index])
        unsafe finish(route, outputs: outputs, frames: frames, areLevelsKnown: areLevelsKnown)
      }
    }
    meterOutputs(frames: frames)
    guard unsafe !plan.pointee.areActiveRoutesHeard else { return }
    for index in unsafe 0..<plan.pointee.activeRouteCount {
      let route = unsafe plan.pointee.routes[Int(plan.pointee.activeRoutes[index])]
      // Listed anew, it will be idle.
      if !route.isHeard, route.isAtRest { areListsStale = true }
    }
  }

  /// Cleans, limits and delays the mixed samples of a route.
  @_noLocks
  @_noAllocation
  private mutating func finish(
    _ index: Int,
    outputs: UnsafePointer<UnsafeMutablePointer<Float>?>,
    frames: Int,
    areLevelsKnown: Bool,
  ) {
    let route = unsafe plan.pointee.routes[index]
    let first = Int(route.firstOutput)
    let end = first + Int(route.channels)
    var peak: Float = 0
    for channel in first..<end {
      if !areLevelsKnown { unsafe measure(channel, of: outputs, frames: frames) }
      unsafe clean(channel, of: outputs, frames: frames)
      peak = unsafe max(peak, plan.pointee.outputLevels[channel].peak)
    }
    if unsafe mix_limiter_process(route.limiter, outputs + first, frames, peak) {
      for channel in first..<end { unsafe measure(channel, of: outputs, frames: frames) }
    }
    unsafe route.delay?.pointee.process(outputs + first, frames: frames)
    // The limiter may have begun to hold the route down, or have come to rest.
    let limit = route.limit
    for channel in first..<end { unsafe plan.pointee.outputLimits[channel] = limit }
  }

  @_noLocks
  @_noAllocation
  private mutating func meterOutputs(frames: Int) {
    unsafe mix_meter_outputs(
      plan.pointee.meteredOutputs.baseAddress,
      Int32(plan.pointee.meteredOutputCount),
      1 / Float(frames),
      metering.share(frames: frames),
    )
  }

  /// Meters the inputs that are read at both taps, each from one reading, and lets the meters of the others fall.
  ///
  /// Gains count as they are at the end of the cycle. Mutating, because a borrowed state would be copied whole.
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  mutating func meterStrips(frames: Int) {
    unsafe mix_meter_taps(
      plan.pointee.metered.baseAddress,
      Int32(plan.pointee.meteredCount),
      1 / Float(frames),
      metering.share(frames: frames),
    )
  }

  /// Takes the level of an output channel.
  @_noLocks
  @_noAllocation
  private mutating func measure(
    _ channel: Int,
    of outputs: UnsafePointer<UnsafeMutablePointer<Float>?>,
    frames: Int,
  ) {
    guard let samples = unsafe outputs[channel] else { return }
    unsafe plan.pointee.outputLevels[channel] = mix_level(samples, frames)
  }

  /// Silences samples that are infinite or not a number; the sum of squares detects them.
  @_noLocks
  @_noAllocation
  private mutating func clean(
    _ channel: Int,
    of outputs: UnsafePointer<UnsafeMutablePointer<Float>?>,
    frames: Int,
  ) {
    guard unsafe !plan.pointee.outputLevels[channel].squares.isFinite,
      let samples = unsafe outputs[channel]
    else { return }
    unsafe mix_replace_nonfinite(samples, frames)
    unsafe measure(channel, of: outputs, frames: frames)
  }
}

/// The decay of a meter's mean square over one block.
///
/// A plain value: [any-thread].
struct MeterSmoothing: BitwiseCopyable {
  private let integrationsPerFrame: Float

  init(sampleRateHz: Double) {
    integrationsPerFrame = Float(1 / (MeterCell.integrationSeconds * sampleRateHz))
  }

  /// 1 − exp(−frames ÷ integration time), by a fraction that is within 1 % up to a whole
  /// integration time, and never above 1.
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  func share(frames: Int) -> Float {
    let time = Float(frames) * integrationsPerFrame
    return min(1, time / (1 + time / 2 + time * time / 12))
  }
}
