// SPDX-License-Identifier: MIT

internal import JACK
internal import Mixing
internal import Realtime

/// The state of the process callback of the host's main client.
@safe
struct MixProcess {
  let renderer: MixRenderer
  let durations: SPSCQueue<UInt32>.Producer
  /// Frames since the client was activated: JACK's frame time, unwrapped to 64 bits.
  var frame: UInt64 = 0
  /// Recent peak cost of a cycle without waiting, in nanoseconds; decays by 1/64 per cycle.
  private(set) var costNanoseconds: UInt64 = 0
  private var lastFrameTime: UInt32 = 0
  private var hasStarted = false

  /// Makes the state; the callback owns it from its activation on. [control-thread]
  init(
    renderer: MixRenderer,
    durations: SPSCQueue<UInt32>.Producer,
  ) {
    self.renderer = renderer
    self.durations = durations
  }

  /// Takes in the cost of a cycle. [audio-thread]
  @_noLocks @_noAllocation
  mutating func note(costNanoseconds cost: UInt64) {
    costNanoseconds = max(cost, costNanoseconds &- costNanoseconds / 64)
  }

  /// Unwraps the frame time of a cycle. [audio-thread]
  @_noLocks @_noAllocation
  mutating func advance(to frameTime: UInt32) -> UInt64 {
    if hasStarted {
      frame &+= UInt64(frameTime &- lastFrameTime)
    } else {
      frame = UInt64(frameTime)
      hasStarted = true
    }
    lastFrameTime = frameTime
    return frame
  }
}

/// The process callback of the host's main client: strips in, routes out, in one cycle.
///
/// [audio-thread & active] — waits only for a strip's nodes, until a deadline, and for the disk while JACK freewheels; never
/// allocates.
@c(multiroute_mix_process) @_noLocks @_noAllocation
func mixProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: MixProcess.self) { state, scope in
    let frame = unsafe state.pointee.advance(to: scope.frameTime)
    let tag = unsafe state.pointee.renderer.beginCycle(atFrame: frame)
    guard
      let arrangement = unsafe UnsafeMutablePointer<PortArrangement>(bitPattern: UInt(tag))
    else { return }
    if let controllers = unsafe arrangement.pointee.controllers {
      unsafe controllers.read(atFrame: frame, state.pointee.renderer, scope)
      controllers.write(scope)
    }
    unsafe arrangement.pointee.collectInputs(in: scope)
    let freewheelDeadline = scope.freewheelDeadlineNanoseconds
    unsafe arrangement.pointee.playFeeds(
      state.pointee.renderer,
      frames: Int(frames),
      until: freewheelDeadline,
    )
    unsafe arrangement.pointee.collectOutputs(in: scope)
    var deadline = freewheelDeadline
    if unsafe deadline == 0 && arrangement.pointee.insertCount > 0 {
      deadline = unsafe scope.handoverDeadlineNanoseconds(
        costNanoseconds: state.pointee.costNanoseconds
      )
    }
    for index in 0..<(unsafe arrangement.pointee.insertCount) {
      unsafe arrangement.pointee.inserts[index].apply(
        toInputs: arrangement.pointee.inputs,
        until: deadline,
        scope,
      )
    }
    unsafe state.pointee.renderer.mix(
      inputs: UnsafePointer(arrangement.pointee.inputs),
      outputs: UnsafePointer(arrangement.pointee.outputs),
      frames: Int(frames),
    )
    unsafe arrangement.pointee.silenceUnapproved(frames: Int(frames), in: scope)
    unsafe arrangement.pointee.record(frames: Int(frames), until: freewheelDeadline)
    for index in 0..<(unsafe arrangement.pointee.insertCount) {
      unsafe arrangement.pointee.inserts[index].apply(
        toOutputs: arrangement.pointee.outputs,
        scope,
      )
    }
    let cost = scope.costNanoseconds
    // The cost of a cycle that may wait for the disk says nothing of those in real time.
    if freewheelDeadline == 0 { unsafe state.pointee.note(costNanoseconds: cost) }
    // The queue is full only while the control thread has stalled; then some durations are missing
    // from the distribution.
    _ = unsafe state.pointee.durations.push(
      UInt32(truncatingIfNeeded: min(cost, UInt64(UInt32.max)))
    )
  }
}
