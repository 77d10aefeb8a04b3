// SPDX-License-Identifier: MIT

import Realtime

/// Owns what the audio thread knows of a strip.
@safe
final class StripBlock {
  let channels: Int
  let ramps: RampBlock
  let state: UnsafeMutablePointer<StripState>
  let meters: MeterBlock

  init(groupID: UInt32, channels: Int, factors: [Float]) {
    self.channels = channels
    ramps = RampBlock(groupID: groupID, values: factors) {
      $0 == StripState.Factor.gate.rawValue ? .gate : .plain
    }
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: StripState(ramps: ramps.group))
    meters = MeterBlock(channels: channels)
  }

  deinit {
    unsafe state.deallocate()
  }
}

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
