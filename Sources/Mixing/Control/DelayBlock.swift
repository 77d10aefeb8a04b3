// SPDX-License-Identifier: MIT

/// Owns the delay of a route.
@safe
final class DelayBlock {
  let state: UnsafeMutablePointer<DelayState>
  private let samples: UnsafeMutablePointer<Float>
  private(set) var frames: Int

  /// Makes a delay; the audio thread does not have it yet.
  ///
  /// - Parameters:
  ///   - channels: Of the route.
  ///   - frames: The delay.
  ///   - isNew: Whether the route has played nothing before.
  ///   - sampleRateHz: Frames in a second: the longest delay and the fade follow from it.
  init(channels: Int, frames: Int, isNew: Bool, sampleRateHz: Double) {
    let longest = Int((RouteSpec.longestDelaySeconds * sampleRateHz).rounded(.up))
    var capacity = 2 * DelayState.pieceFrames
    while capacity < longest + DelayState.pieceFrames { capacity *= 2 }
    unsafe samples = .allocate(capacity: channels * capacity)
    // Touched now, so that the first lap on the audio thread takes no page fault.
    unsafe samples.initialize(repeating: 0, count: channels * capacity)
    self.frames = frames
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(
      to: DelayState(
        samples: samples,
        channels: channels,
        capacityFrames: capacity,
        fadeFrames: max(1, Int(0.005 * sampleRateHz)),
        frames: frames,
        isNew: isNew,
      )
    )
  }

  deinit {
    unsafe state.deallocate()
    unsafe samples.deallocate()
  }

  /// Sets the delay by a command that is still to be delivered.
  func set(frames: Int) -> Command {
    self.frames = frames
    return unsafe Command(
      target: UnsafeMutableRawPointer(state),
      frames: UInt32(frames),
      kind: .delay,
    )
  }
}
