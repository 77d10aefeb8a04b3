// SPDX-License-Identifier: MIT

public import Realtime

extension MeterReading {
  /// The highest magnitude since the last reading, in dB below full scale; −∞ for silence.
  public var peakDB: Double { Decibels.decibels(fromLinear: peakLinear) }

  /// The root of the integrated mean square, in dB below full scale; −∞ for silence.
  public var rmsDB: Double { Decibels.decibels(fromLinear: rmsLinear) }
}
