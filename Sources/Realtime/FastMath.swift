// SPDX-License-Identifier: MIT
//
// Both functions compute in Double: the error of a series in Float is larger than the way to the next argument, so a
// ramp could take a step back. `scripts/test-model gains` tries every argument.

/// Powers of two without the C library, for gains on the audio thread.
///
/// Never falls where the exponent rises.
///
/// - Parameter exponent: −126…126; beyond that the result stays at the limit.
/// - Returns: 2 to the `exponent`, within 1 part in 10⁷.
///
/// [any-thread] never waits, never allocates.
@_noLocks
@_noAllocation
func fastExp2(_ exponent: Float) -> Float {
  let clamped = Double(max(-126, min(126, exponent)))
  let whole = Int32(clamped + (clamped < 0 ? -0.5 : 0.5))
  let part = (clamped - Double(whole)) * 0.693_147_180_559_945_3
  // exp(part) for |part| ≤ ln 2 ÷ 2, by Taylor up to the 9th power.
  var series = 1 + part * (1.0 / 9)
  series = 1 + part * (1.0 / 8) * series
  series = 1 + part * (1.0 / 7) * series
  series = 1 + part * (1.0 / 6) * series
  series = 1 + part * (1.0 / 5) * series
  series = 1 + part * (1.0 / 4) * series
  series = 1 + part * (1.0 / 3) * series
  series = 1 + part * (1.0 / 2) * series
  series = 1 + part * series
  return Float(series) * Float(bitPattern: UInt32(whole + 127) << 23)
}

/// The binary logarithm without the C library, for gains on the audio thread.
///
/// Never falls where the value rises.
///
/// - Parameter value: A normal number above 0.
/// - Returns: log₂ of `value`, within 1 part in 10⁷.
///
/// [any-thread] never waits, never allocates.
@_noLocks
@_noAllocation
func fastLog2(_ value: Float) -> Float {
  var exponent = Int32(bitPattern: value.bitPattern >> 23) - 127
  var mantissa = Double(Float(bitPattern: value.bitPattern & 0x007F_FFFF | 0x3F80_0000))
  if mantissa > 1.414_213_562_373_095 {
    mantissa *= 0.5
    exponent += 1
  }
  // ln(m) = 2 artanh((m − 1) ÷ (m + 1)), by its series.
  let ratio = (mantissa - 1) / (mantissa + 1)
  let square = ratio * ratio
  var series = 1.0 / 11
  series = 1.0 / 9 + square * series
  series = 1.0 / 7 + square * series
  series = 1.0 / 5 + square * series
  series = 1.0 / 3 + square * series
  series = 1 + square * series
  return Float(Double(exponent) + 2 * ratio * series * 1.442_695_040_888_963_4)
}
