// SPDX-License-Identifier: MIT

/// The factors of a route.
@safe
struct RouteState {
  /// The route's ramps, in the order of their group.
  enum Factor: Int, BitwiseCopyable, CaseIterable {
    case gain, mute
  }

  let ramps: RampGroup
  /// Their product: at the end of the cell that is being rendered, else at rest.
  var product: Float = 0

  /// Works the product out for some frames ahead.
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  mutating func updateProduct(framesAhead: UInt32) {
    product =
      ramps.value(Factor.gain.rawValue, framesAhead: framesAhead)
      * ramps.value(Factor.mute.rawValue, framesAhead: framesAhead)
  }
}
