// SPDX-License-Identifier: MIT

/// The factors of a strip, and their products as far as sends take them.
@safe
struct StripState {
  /// The strip's ramps, in the order of their group.
  enum Factor: Int, BitwiseCopyable, CaseIterable {
    case fader, mute, solo, gate, duck, crossfade
  }

  /// Where a send takes the signal, that is: which factors act on it.
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
