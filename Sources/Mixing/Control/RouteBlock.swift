// SPDX-License-Identifier: MIT

import CMixKernels

/// Owns what the audio thread knows of a route.
@safe
final class RouteBlock {
  let channels: Int
  let ramps: RampBlock
  let state: UnsafeMutablePointer<RouteState>
  let meters: MeterBlock
  /// Replaced by another when the look-ahead changes.
  var limiter: LimiterBlock

  init(groupID: UInt32, spec: RouteSpec, sampleRateHz: Double) {
    channels = spec.channels
    ramps = RampBlock(groupID: groupID, values: spec.factors)
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: RouteState(ramps: ramps.group))
    meters = MeterBlock(channels: spec.channels)
    limiter = LimiterBlock(
      channels: spec.channels,
      values: LimiterValues(spec.limiter, sampleRateHz: sampleRateHz),
    )
  }

  deinit {
    unsafe state.deallocate()
  }
}

/// Owns a limiter.
@safe
final class LimiterBlock {
  let pointer: OpaquePointer
  private(set) var values: LimiterValues

  /// Makes a limiter; the audio thread does not have it yet.
  init(channels: Int, values: LimiterValues) {
    guard
      let pointer = unsafe mix_limiter_create(Int32(channels), Int32(values.lookaheadFrames))
    else { preconditionFailure("no memory for a limiter") }
    unsafe self.pointer = pointer
    self.values = values
    unsafe mix_limiter_set(pointer, values.ceiling, values.release)
  }

  deinit {
    unsafe mix_limiter_destroy(pointer)
  }

  /// Sets the limiter by a command that is still to be delivered.
  func set(_ values: LimiterValues) -> Command {
    self.values = values
    return unsafe Command(
      target: UnsafeMutableRawPointer(pointer),
      value: values.ceiling,
      extra: values.release,
      kind: .limiter,
    )
  }
}
