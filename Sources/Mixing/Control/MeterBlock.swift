// SPDX-License-Identifier: MIT

import Realtime

/// Owns the meters of a strip or route.
@safe
final class MeterBlock {
  let cells: UnsafeMutablePointer<MeterCell>
  let channels: Int

  init(channels: Int) {
    self.channels = channels
    unsafe cells = .allocate(capacity: channels)
    for channel in 0..<channels {
      unsafe (cells + channel).initialize(to: MeterCell())
    }
  }

  deinit {
    unsafe cells.deinitialize(count: channels)
    unsafe cells.deallocate()
  }

  /// Reads all meters, which starts new peaks.
  func read() -> [MeterReading] {
    (0..<channels).map { unsafe cells[$0].read() }
  }
}
