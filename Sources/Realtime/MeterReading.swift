// SPDX-License-Identifier: MIT

/// What a meter showed: linear, 1 is full scale.
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
