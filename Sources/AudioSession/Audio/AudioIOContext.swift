// SPDX-License-Identifier: MIT

internal import JACK
internal import Synchronization

/// What a cycle of an ``AudioIO`` works on.
@safe
struct AudioIOContext: ~Copyable {
  let inputs: UnsafeMutablePointer<AudioInputPort>
  let inputCount: Int
  let outputs: UnsafeMutablePointer<AudioOutputPort>
  let outputCount: Int
  /// The cycle's buffers: the inputs', then the outputs'.
  let buffers: UnsafeMutablePointer<AudioIOBuffer>
  /// The app's.
  let state: UnsafeMutableRawPointer
  let isRunning = Atomic<Bool>(false)
  /// The scope of the cycle that runs.
  var scope: ProcessScope?
}

/// The samples of one port in one cycle.
@safe
struct AudioIOBuffer: BitwiseCopyable {
  let input: UnsafePointer<Float>?
  let output: UnsafeMutablePointer<Float>?
  let count: Int

  @_noLocks @_noAllocation
  init(input: UnsafePointer<Float>?, output: UnsafeMutablePointer<Float>?, count: Int) {
    unsafe self.input = unsafe input
    unsafe self.output = unsafe output
    self.count = count
  }
}
