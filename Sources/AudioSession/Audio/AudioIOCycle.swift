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
  /// When the cycle began, in microseconds of JACK's clock.
  public let hostTimeMicroseconds: UInt64
  /// Whether ``AudioIO/start()`` was called: otherwise the output goes nowhere.
  public let isRunning: Bool

  private let context: UnsafeMutablePointer<AudioIOContext>

  /// Opens the cycle: notes where its buffers are.
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

  /// The app's state.
  @usableFromInline var state: UnsafeMutableRawPointer {
    @_noLocks @_noAllocation get { unsafe context.pointee.state }
  }

  /// Closes the cycle; silence where nothing is to be heard, whatever the callback wrote.
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

  /// What a port carries while the outputs are mapped; nil where it carries nothing, or is written already.
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

  /// Where the samples of an output go, all of which must be written; empty for one that does not exist.
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
  ///   - body: The work; escapes nothing.
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
