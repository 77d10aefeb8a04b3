// SPDX-License-Identifier: MIT

import Realtime

/// The factors of a strip, and their products up to each point where sends tap.
@safe
struct StripState {
  /// The strip's ramps, in the order of their group.
  enum Factor: Int, BitwiseCopyable, CaseIterable {
    case fader, mute, solo, gate, duck, crossfade
  }

  /// The point at which a send takes the signal: it decides which factors act on it.
  enum Tap: Int, BitwiseCopyable, CaseIterable {
    /// All of them.
    case postFader
    /// All but solo.
    case postFaderOnCueRoute
    /// All but fader and crossfader.
    case preFader
    /// All but fader, crossfader and solo.
    case preFaderOnCueRoute
    /// Gate and duck alone.
    case cue
  }

  let ramps: RampGroup
  /// A product for each ``Tap``: at the end of the cell that is being rendered, else at rest.
  var products = InlineArray<5, Float>(repeating: 0)

  /// The product of all factors.
  ///
  /// [audio-thread] never waits, never allocates.
  var gainBehindFader: Float {
    @_noLocks @_noAllocation
    get { products[Tap.postFader.rawValue] }
  }

  /// Whether the gate is open, or opens.
  ///
  /// [audio-thread] never waits, never allocates.
  var isGateOpen: Bool {
    @_noLocks @_noAllocation
    get { unsafe ramps.ramps[Factor.gate.rawValue].ramp.target != 0 }
  }

  /// The ramp of the crossfader.
  ///
  /// [audio-thread] never waits, never allocates.
  var crossfade: UnsafeMutablePointer<GainRamp> {
    @_noLocks @_noAllocation
    get { unsafe ramps.ramps + Factor.crossfade.rawValue }
  }

  /// Works the products out for some frames ahead.
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  mutating func updateProducts(framesAhead: UInt32) {
    let enforced =
      value(.gate, framesAhead: framesAhead) * value(.duck, framesAhead: framesAhead)
    let preFader = enforced * value(.mute, framesAhead: framesAhead)
    let postFader =
      preFader * value(.fader, framesAhead: framesAhead)
      * value(.crossfade, framesAhead: framesAhead)
    let solo = value(.solo, framesAhead: framesAhead)
    products[Tap.postFader.rawValue] = postFader * solo
    products[Tap.postFaderOnCueRoute.rawValue] = postFader
    products[Tap.preFader.rawValue] = preFader * solo
    products[Tap.preFaderOnCueRoute.rawValue] = preFader
    products[Tap.cue.rawValue] = enforced
  }

  @_noLocks
  @_noAllocation
  private func value(_ factor: Factor, framesAhead: UInt32) -> Float {
    ramps.value(factor.rawValue, framesAhead: framesAhead)
  }
}

/// One cell of the matrix: from one input channel to one output channel.
///
/// Its one ramp is the coefficient: gain of the send × pan × cell of the matrix.
@safe
struct SendState {
  let ramps: RampGroup
  /// The product of all factors, as heard at the present frame.
  var gain: Float = 0
  /// The product of all factors at the end of the cell that is being rendered.
  var endGain: Float = 0
}

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
