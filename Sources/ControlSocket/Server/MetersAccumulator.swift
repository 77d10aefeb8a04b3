// SPDX-License-Identifier: MIT

import ControlProtocol

/// Merges levels over time: the highest peak, the root of the mean of the squares.
struct MetersAccumulator {
  private var latest: Meters?
  private var count: Float = 0

  /// Adds levels; where the strips or routes are others than before, it starts anew.
  mutating func add(_ meters: Meters) {
    guard let before = latest, Self.isAlike(before, meters) else {
      latest = meters
      count = 1
      return
    }
    latest = Meters(
      time: meters.time,
      strips: merge(before.strips, meters.strips),
      routes: merge(before.routes, meters.routes),
    )
    count += 1
  }

  /// Takes the levels since the last taking.
  mutating func take() -> Meters? {
    defer { latest = nil }
    return latest
  }

  private func merge(_ before: [MeterReading], _ now: [MeterReading]) -> [MeterReading] {
    zip(before, now).map { before, now in
      MeterReading(
        id: now.id,
        peak: zip(before.peak, now.peak).map(max),
        rms: zip(before.rms, now.rms).map { before, now in
          ((before * before * count + now * now) / (count + 1)).squareRoot()
        },
      )
    }
  }

  private static func isAlike(_ one: Meters, _ other: Meters) -> Bool {
    let shape = { (readings: [MeterReading]) in
      readings.lazy.map { ($0.id, $0.peak.count, $0.rms.count) }
    }
    return shape(one.strips).elementsEqual(shape(other.strips), by: ==)
      && shape(one.routes).elementsEqual(shape(other.routes), by: ==)
  }
}
