// SPDX-License-Identifier: MIT

public import Synchronization

/// A reading of a meter: linear, 1 is full scale.
///
/// A plain value: [any-thread].
public struct MeterReading: Sendable, Equatable {
  /// The highest magnitude since the last reading.
  public var peakLinear: Float

  /// The root of the integrated mean square.
  public var rmsLinear: Float

  /// Makes a reading from linear levels.
  public init(peakLinear: Float, rmsLinear: Float) {
    self.peakLinear = peakLinear
    self.rmsLinear = rmsLinear
  }
}

/// The level of one channel: written by the audio thread, read by one other at any time.
///
/// The peak is the highest since the last reading; a reading starts a new one. The mean square is
/// integrated exponentially over ``integrationSeconds``. Values that are not finite are left out,
/// so that one bad block does not spoil the meter for ever.
///
/// Written by the audio thread, read by one other: [any-thread].
public struct MeterCell: ~Copyable {
  /// The time constant of the mean square, as on a VU meter, in seconds.
  public static let integrationSeconds = 0.3

  /// Bit patterns of floats that are not negative sort as the floats do.
  @usableFromInline let peakBits = Atomic<UInt32>(0)
  @usableFromInline let meanSquareBits = Atomic<UInt32>(0)

  /// Makes a meter that reads silence.
  @inlinable
  public init() {}

  /// Takes in one block.
  ///
  /// - Parameters:
  ///   - peak: The block's highest magnitude, linear.
  ///   - meanSquare: The block's mean of squares, linear.
  ///   - smoothing: The share of the old mean square that goes: 1 − exp(−block ÷ integration time).
  ///
  /// [audio-thread] never waits, never allocates.
  @inlinable
  @_noLocks
  @_noAllocation
  public func update(peak: Float, meanSquare: Float, smoothing: Float) {
    // No float that is finite and not negative has so high a bit pattern as infinity; most blocks are no new peak.
    let bits = peak.bitPattern
    if bits > peakBits.load(ordering: .relaxed), bits < Float.infinity.bitPattern {
      peakBits.store(bits, ordering: .relaxed)
    }
    let old = Float(bitPattern: meanSquareBits.load(ordering: .relaxed))
    let new = old + smoothing * ((meanSquare < .infinity ? meanSquare : 0) - old)
    // Values below −200 dB count as silence: a decaying mean must not end among the denormals.
    meanSquareBits.store(new > 1e-20 ? new.bitPattern : 0, ordering: .relaxed)
  }

  /// Whether the mean square has decayed to 0.
  ///
  /// [any-thread] never waits, never allocates.
  @inlinable public var isAtRest: Bool {
    @_noLocks @_noAllocation
    get { meanSquareBits.load(ordering: .relaxed) == 0 }
  }

  /// Reads the level and starts a new peak.
  ///
  /// [control-thread]
  @inlinable
  public func read() -> MeterReading {
    MeterReading(
      peakLinear: Float(bitPattern: peakBits.exchange(0, ordering: .relaxed)),
      rmsLinear: Float(bitPattern: meanSquareBits.load(ordering: .relaxed)).squareRoot(),
    )
  }
}
