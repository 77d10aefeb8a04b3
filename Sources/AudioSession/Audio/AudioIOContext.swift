// SPDX-License-Identifier: MIT

internal import JACK
internal import Synchronization

/// What a cycle of an ``AudioIO`` works on.
@safe
struct AudioIOContext: ~Copyable {
  let inputs: UnsafeMutablePointer<AudioInputPort>
  let inputCount: Int
  /// Room for ``AudioIOLimits/ports``; `portCount` of them are there.
  let outputs: UnsafeMutablePointer<AudioOutputPort>
  /// How many outputs the callback writes.
  let outputCount: Int
  /// The cycle's buffers: the inputs', then the outputs'.
  let buffers: UnsafeMutablePointer<AudioIOBuffer>
  /// Where the callback writes while its outputs are mapped, channel after channel.
  let scratch: UnsafeMutablePointer<Float>
  /// For each port the output that it carries, or -1; counts while `isMapped`.
  let map: UnsafeMutablePointer<Atomic<Int32>>
  /// The app's.
  let state: UnsafeMutableRawPointer
  let portCount: Atomic<Int>
  let isMapped = Atomic<Bool>(false)
  let isRunning = Atomic<Bool>(false)
  /// Whether this cycle's outputs are mapped, and to how many ports.
  var cycle = (isMapped: false, portCount: 0)
  /// The scope of the cycle that runs.
  var scope: ProcessScope?

  init(
    inputs: UnsafeMutablePointer<AudioInputPort>,
    inputCount: Int,
    outputs: UnsafeMutablePointer<AudioOutputPort>,
    outputCount: Int,
    state: UnsafeMutableRawPointer,
  ) {
    unsafe self.inputs = unsafe inputs
    self.inputCount = inputCount
    unsafe self.outputs = unsafe outputs
    self.outputCount = outputCount
    unsafe self.state = unsafe state
    portCount = Atomic(outputCount)
    unsafe buffers = .allocate(capacity: max(1, inputCount + outputCount))
    unsafe buffers.initialize(
      repeating: AudioIOBuffer(input: nil, output: nil, count: 0),
      count: inputCount + outputCount,
    )
    let samples = max(1, outputCount) * AudioIOLimits.frames
    unsafe scratch = .allocate(capacity: samples)
    unsafe scratch.initialize(repeating: 0, count: samples)
    unsafe map = .allocate(capacity: AudioIOLimits.ports)
    for port in 0..<AudioIOLimits.ports { unsafe (map + port).initialize(to: Atomic(-1)) }
  }

  deinit {
    unsafe buffers.deallocate()
    unsafe scratch.deallocate()
    unsafe map.deinitialize(count: AudioIOLimits.ports)
    unsafe map.deallocate()
  }
}

/// Bounds of an ``AudioIO``.
enum AudioIOLimits {
  /// The most inputs, outputs, and channels of all outputs together.
  static var ports: Int { @_noLocks @_noAllocation get { 64 } }
  /// The longest cycle of JACK.
  static var frames: Int { @_noLocks @_noAllocation get { 8_192 } }
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
