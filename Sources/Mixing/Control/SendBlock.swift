// SPDX-License-Identifier: MIT

/// Owns what the audio thread knows of a cell of the matrix.
@safe
final class SendBlock {
  /// Which cell of which strip and route; a strip or route that comes back is another.
  struct Key: Hashable {
    var strip: UInt32
    var route: UInt32
    var input: Int
    var output: Int
    var tap: StripState.Tap
  }

  let key: Key
  let ramps: RampBlock
  let state: UnsafeMutablePointer<SendState>
  /// Whether the audio thread has reported that the cell has come to silence.
  var isSettled = false
  /// The serial of the first plan without this cell, once its strip or route is gone.
  var departedBefore: UInt32 = 0

  init(groupID: UInt32, key: Key, coefficient: Float) {
    self.key = key
    ramps = RampBlock(groupID: groupID, values: [coefficient]) { _ in .send }
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: SendState(ramps: ramps.group))
  }

  deinit {
    unsafe state.deallocate()
  }

  /// Where the coefficient rests or is going.
  var target: Float { ramps.targets[0] }
}
