// SPDX-License-Identifier: MIT

internal import JACK
internal import Synchronization

/// The inside of one cycle of an ``AudioIO``: the only place where its buffers exist.
@safe
public struct AudioIOCycle: BitwiseCopyable {
  /// The length of this cycle; any number, not only powers of two.
  public let frames: Int
  /// The frame time of the first frame: JACK's clock in samples, wraps at 2³².
  public let sampleTime: UInt32
  /// The start of the cycle, in microseconds of JACK's clock.
  public let hostTimeMicroseconds: UInt64
  /// Whether the audio was started with ``AudioIO/start()``; otherwise the output is silent.
  public let isRunning: Bool

  private let context: UnsafeMutablePointer<AudioIOContext>

  /// Opens the cycle and stores its buffers. [audio-thread]
  @usableFromInline
  @_noLocks @_noAllocation
  init?(frames: UInt32, context: UnsafeMutableRawPointer?) {
    guard let scope = unsafe ProcessScope(frames: frames, context: context) else { return nil }
    guard let context = unsafe scope.userContext?.assumingMemoryBound(to: AudioIOContext.self)
    else {
      scope.finish()
      return nil
    }
    self.frames = Int(scope.frames)
    sampleTime = scope.frameTime
    hostTimeMicroseconds = scope.cycleTimes.startMicroseconds
    isRunning = unsafe context.pointee.isRunning.load(ordering: .relaxed)
    unsafe self.context = unsafe context
    for index in 0..<(unsafe context.pointee.inputCount) {
      let samples = unsafe scope.samples(of: context.pointee.inputs[index])
      unsafe context.pointee.buffers[index] = AudioIOBuffer(
        input: samples.baseAddress,
        output: nil,
        count: samples.count,
      )
    }
    let isMapped = unsafe context.pointee.isMapped.load(ordering: .acquiring)
    unsafe context.pointee.cycle = unsafe (
      isMapped, context.pointee.portCount.load(ordering: .acquiring)
    )
    for index in 0..<(unsafe context.pointee.outputCount) {
      let place = unsafe context.pointee.inputCount + index
      if isMapped {
        unsafe context.pointee.buffers[place] = AudioIOBuffer(
          input: nil,
          output: context.pointee.scratch + index * AudioIOLimits.frames,
          count: min(Int(scope.frames), AudioIOLimits.frames),
        )
      } else {
        let samples = unsafe scope.samples(of: context.pointee.outputs[index])
        unsafe context.pointee.buffers[place] = AudioIOBuffer(
          input: nil,
          output: samples.baseAddress,
          count: samples.count,
        )
      }
    }
    unsafe context.pointee.scope = consume scope
  }

  /// The app's state. [audio-thread]
  @usableFromInline var state: UnsafeMutableRawPointer {
    @_noLocks @_noAllocation get { unsafe context.pointee.state }
  }

  /// Closes the cycle; writes silence to each port that carries no output. [audio-thread]
  @usableFromInline
  @_noLocks @_noAllocation
  func finish() {
    guard let scope = unsafe context.pointee.scope.take() else { return }
    for port in 0..<(unsafe context.pointee.cycle.portCount) {
      let samples = unsafe scope.samples(of: context.pointee.outputs[port])
      let source = isRunning ? unsafe self.source(ofPort: port) : nil
      if let source = unsafe source {
        for frame in 0..<min(samples.count, AudioIOLimits.frames) {
          unsafe samples[frame] = source[frame]
        }
      } else {
        let isWritten = unsafe !context.pointee.cycle.isMapped && port < context.pointee.outputCount
        guard !isRunning || !isWritten else { continue }
        for frame in 0..<samples.count { unsafe samples[frame] = 0 }
      }
    }
    scope.finish()
  }

  /// The samples for a port while the outputs are mapped; nil if it carries none, or already has them.
  @_noLocks @_noAllocation
  private func source(ofPort port: Int) -> UnsafeMutablePointer<Float>? {
    guard unsafe context.pointee.cycle.isMapped else { return nil }
    let channel = unsafe Int(context.pointee.map[port].load(ordering: .relaxed))
    guard channel >= 0, unsafe channel < context.pointee.outputCount else { return nil }
    return unsafe context.pointee.scratch + channel * AudioIOLimits.frames
  }

  /// The samples of an input, read only; empty for an input that does not exist.
  /// [audio-thread & active]
  @_noLocks @_noAllocation
  public func input(_ channel: Int) -> UnsafeBufferPointer<Float> {
    guard channel >= 0, unsafe channel < context.pointee.inputCount else {
      return unsafe UnsafeBufferPointer(start: nil, count: 0)
    }
    let buffer = unsafe context.pointee.buffers[channel]
    return unsafe UnsafeBufferPointer(start: buffer.input, count: buffer.count)
  }

  /// The samples of an output, all of which must be written; empty for an output that does not exist.
  /// [audio-thread & active]
  @_noLocks @_noAllocation
  public func output(_ channel: Int) -> UnsafeMutableBufferPointer<Float> {
    guard channel >= 0, unsafe channel < context.pointee.outputCount else {
      return unsafe UnsafeMutableBufferPointer(start: nil, count: 0)
    }
    let buffer = unsafe context.pointee.buffers[context.pointee.inputCount + channel]
    return unsafe UnsafeMutableBufferPointer(start: buffer.output, count: buffer.count)
  }

  /// Runs `body` with the app's state and the buffers of this cycle.
  ///
  /// - Parameters:
  ///   - frames: The first argument of the callback.
  ///   - context: The second argument of the callback.
  ///   - type: The type behind the pointer given to ``AudioIO``.
  ///   - body: The work of the cycle; the buffers are valid inside it only.
  /// - Returns: 0, the value for the callback to return.
  ///
  /// [audio-thread & active]
  @_transparent
  public static func run<State: ~Copyable>(
    _ frames: UInt32,
    _ context: UnsafeMutableRawPointer?,
    as type: State.Type,
    body: (UnsafeMutablePointer<State>, AudioIOCycle) -> Void,
  ) -> Int32 {
    guard let cycle = unsafe AudioIOCycle(frames: frames, context: context) else { return 0 }
    unsafe body(cycle.state.assumingMemoryBound(to: State.self), cycle)
    cycle.finish()
    return 0
  }
}

/// The memory that a cycle of an ``AudioIO`` works on.
///
/// Belongs to the audio thread, except the atomics.
@safe
struct AudioIOContext: ~Copyable {
  let inputs: UnsafeMutablePointer<AudioInputPort>
  let inputCount: Int
  /// Room for ``AudioIOLimits/ports``; the first `portCount` are registered.
  let outputs: UnsafeMutablePointer<AudioOutputPort>
  /// The number of outputs that the callback writes.
  let outputCount: Int
  /// The cycle's buffers: inputs first, then outputs.
  let buffers: UnsafeMutablePointer<AudioIOBuffer>
  /// The memory that the callback writes to while its outputs are mapped, channel after channel.
  let scratch: UnsafeMutablePointer<Float>
  /// For each port the output that it carries, or -1; valid while `isMapped`.
  let map: UnsafeMutablePointer<Atomic<Int32>>
  /// The app's state.
  let state: UnsafeMutableRawPointer
  let portCount: Atomic<Int>
  let isMapped = Atomic<Bool>(false)
  let isRunning = Atomic<Bool>(false)
  /// Whether the outputs of this cycle are mapped, and the number of their ports.
  var cycle = (isMapped: false, portCount: 0)
  /// The scope of the current cycle.
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
  /// The largest number of inputs, of outputs, and of channels of all outputs.
  static var ports: Int { @_noLocks @_noAllocation get { 64 } }
  /// The longest cycle of JACK.
  static var frames: Int { @_noLocks @_noAllocation get { 8_192 } }
}

/// The samples of one port in one cycle. [audio-thread]
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
