// SPDX-License-Identifier: MIT

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
