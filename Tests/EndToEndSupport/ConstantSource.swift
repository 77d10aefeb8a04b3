// SPDX-License-Identifier: MIT

import AudioSession

/// Raw audio of an app: every output stands at a level, until its owner lets it go.
@safe
final class ConstantSource {
  /// The raw client, with no other owner.
  private(set) var io: AudioIO?
  private let level: UnsafeMutablePointer<Float>

  /// Makes it, with two outputs; it sounds from its start on.
  init(_ level: Float) throws {
    let state = UnsafeMutablePointer<Float>.allocate(capacity: 1)
    unsafe state.initialize(to: level)
    unsafe self.level = unsafe state
    io = try unsafe AudioIO(
      inputChannels: 0,
      outputChannels: 2,
      state: UnsafeMutableRawPointer(state),
      render: constantRender,
    )
  }

  deinit {
    // The callback has ended when its client is gone.
    io = nil
    unsafe level.deallocate()
  }
}

@c(multiroute_test_constant_render) @_noLocks @_noAllocation
private func constantRender(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe AudioIOCycle.run(frames, context, as: Float.self) { level, cycle in
    for channel in 0..<2 {
      let output = unsafe cycle.output(channel)
      for frame in 0..<cycle.frames { unsafe output[frame] = level.pointee }
    }
  }
}
