// SPDX-License-Identifier: MIT

#if canImport(Glibc)
  import Glibc
#endif

/// A ``LimiterSpec`` in the units of the audio thread.
struct LimiterValues: Equatable {
  /// Linear; infinity lets everything through.
  var ceiling: Float
  /// The share of the missing gain that comes back each frame.
  var release: Float
  var lookaheadFrames: Int

  /// Nil is a limiter that lets everything through, with the default release.
  init(_ spec: LimiterSpec?, sampleRateHz: Double) {
    let values = spec ?? LimiterSpec()
    ceiling = spec == nil ? .infinity : Decibels.linear(fromDB: values.ceilingDB)
    release = Float(1 - exp(-1 / (values.releaseSeconds * sampleRateHz)))
    lookaheadFrames = values.lookaheadFrames
  }
}
