// SPDX-License-Identifier: MIT

/// Powers of two without the C library, for gains on the audio thread.
///
/// - Parameter exponent: −126…126; beyond that the result stays at the limit.
/// - Returns: 2 to the `exponent`, within 3 parts in 10⁷.
///
/// [any-thread] never waits, never allocates.
@_noLocks
@_noAllocation
func fastExp2(_ exponent: Float) -> Float {
  let clamped = max(-126, min(126, exponent))
  let whole = Int32(clamped + (clamped < 0 ? -0.5 : 0.5))
  let part = (clamped - Float(whole)) * 0.693_147_18
  // exp(part) for |part| ≤ ln 2 ÷ 2, by Taylor up to the 7th power.
  var series: Float = 1 + part / 7
  series = 1 + part / 6 * series
  series = 1 + part / 5 * series
  series = 1 + part / 4 * series
  series = 1 + part / 3 * series
  series = 1 + part / 2 * series
  series = 1 + part * series
  return series * Float(bitPattern: UInt32(whole + 127) << 23)
}

/// The binary logarithm without the C library, for gains on the audio thread.
///
/// - Parameter value: A normal number above 0.
/// - Returns: log₂ of `value`, within 5 parts in 10⁷.
///
/// [any-thread] never waits, never allocates.
@_noLocks
@_noAllocation
func fastLog2(_ value: Float) -> Float {
  var exponent = Int32(bitPattern: value.bitPattern >> 23) - 127
  var mantissa = Float(bitPattern: value.bitPattern & 0x007F_FFFF | 0x3F80_0000)
  if mantissa > 1.414_213_6 {
    mantissa *= 0.5
    exponent += 1
  }
  // ln(m) = 2 artanh((m − 1) ÷ (m + 1)), by its series.
  let ratio = (mantissa - 1) / (mantissa + 1)
  let square = ratio * ratio
  var series: Float = 1.0 / 9
  series = 1.0 / 7 + square * series
  series = 1.0 / 5 + square * series
  series = 1.0 / 3 + square * series
  series = 1 + square * series
  return Float(exponent) + 2 * ratio * series * 1.442_695_04
}
