// SPDX-License-Identifier: MIT

internal import Foundation
internal import Realtime

/// The levels of a player's or a recorder's channels when they were read last.
struct ChannelLevels: Sendable {
  private var readings: [MeterReading] = []

  init(_ readings: [MeterReading] = []) { self.readings = readings }

  /// The highest level in dB, -160 to 0 and above.
  func peak(_ channel: Int) -> Float { decibels(channel) { $0.peakLinear } }

  /// The mean level in dB, -160 to 0 and above.
  func average(_ channel: Int) -> Float { decibels(channel) { $0.rmsLinear } }

  private func decibels(_ channel: Int, _ level: (MeterReading) -> Float) -> Float {
    guard readings.indices.contains(channel), level(readings[channel]) > 0 else { return -160 }
    return max(-160, 20 * log10(level(readings[channel])))
  }
}
