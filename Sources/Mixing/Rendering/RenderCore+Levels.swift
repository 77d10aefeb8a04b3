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
    let smoothing = metering.share(frames: frames)
    for index in unsafe 0..<plan.pointee.activeRouteCount {
      let route = unsafe plan.pointee.routes[Int(plan.pointee.activeRoutes[index])]
      let first = Int(route.firstOutput)
      let end = first + Int(route.channels)
      var peak: Float = 0
      for channel in first..<end {
        if !areLevelsKnown { unsafe measure(channel, of: outputs, frames: frames) }
        unsafe clean(channel, of: outputs, frames: frames)
        peak = unsafe max(peak, plan.pointee.outputs[channel].peak)
      }
      if unsafe mix_limiter_process(route.limiter, outputs + first, frames, peak) {
        for channel in first..<end { unsafe measure(channel, of: outputs, frames: frames) }
      }
      unsafe route.delay?.pointee.process(outputs + first, frames: frames)
      var isHeard = false
      for channel in 0..<Int(route.channels) {
        let output = unsafe plan.pointee.outputs[first + channel]
        isHeard = isHeard || output.isHeard
        unsafe route.meters[channel].update(
          peak: output.peak,
          meanSquare: output.squares / Float(frames),
          smoothing: smoothing,
        )
      }
      // Listed anew, it will be idle.
      if !isHeard, route.isAtRest { areListsStale = true }
    }
  }

  /// Meters the inputs that are read at both taps, each from one reading, and lets the meters of the others fall.
  ///
  /// Gains count as they are at the end of the cycle.
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  mutating func meterStrips(frames: Int) {
    let smoothing = metering.share(frames: frames)
    for index in unsafe 0..<plan.pointee.meteredCount {
      let metered = unsafe plan.pointee.metered[index]
      let level =
        metered.isRead
        ? unsafe plan.pointee.sources[Int(metered.input)].level : MixLevel(peak: 0, squares: 0)
      unsafe metered.meter.pointee.update(
        peak: level.peak,
        meanSquare: level.squares / Float(frames),
        gain: metered.isHeard ? metered.strip.pointee.gainBehindFader : 0,
        isHeard: metered.isHeard,
        smoothing: smoothing,
      )
    }
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
    let level = unsafe mix_level(samples, frames)
    unsafe plan.pointee.outputs[channel].peak = level.peak
    unsafe plan.pointee.outputs[channel].squares = level.squares
  }

  /// Silences samples that are infinite or not a number; the sum of squares detects them.
  @_noLocks
  @_noAllocation
  private mutating func clean(
    _ channel: Int,
    of outputs: UnsafePointer<UnsafeMutablePointer<Float>?>,
    frames: Int,
  ) {
    guard unsafe !plan.pointee.outputs[channel].squares.isFinite,
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
