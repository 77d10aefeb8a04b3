// SPDX-License-Identifier: MIT

/// Owns what the audio thread knows of a route.
@safe
final class RouteBlock {
  let channels: Int
  let ramps: RampBlock
  let state: UnsafeMutablePointer<RouteState>
  let meters: MeterBlock
  /// Replaced by another when the look-ahead changes.
  var limiter: LimiterBlock
  /// Made when the route is delayed for the first time, and kept from then on.
  var delay: DelayBlock?

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
