// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import JACK
internal import Realtime
internal import Synchronization

/// The state of the process callback of the app's client.
///
/// Belongs to the audio thread.
@safe
struct AppProcess: ~Copyable {
  /// One cell for each client: a plan that is left in it names ports that were closed with its client.
  let plans = PlanCell<AppPlan>()
  var plan: UnsafeMutablePointer<AppPlan>
  /// The number of the plan in force.
  let adopted = Atomic<UInt64>(0)
  /// Whether recorders receive the input; otherwise they receive silence (PRM-1).
  let isInputOpen = Atomic<Bool>(false)
  /// JACK's time at the last cycle, unwrapped to 64 bits.
  let frame = Atomic<UInt64>(0)

  init(plan: UnsafeMutablePointer<AppPlan>) { unsafe self.plan = unsafe plan }
}

/// The players and recorders of a cycle with their ports: plain memory, immutable once published.
@safe
struct AppPlan {
  let number: UInt64
  let outputPorts: UnsafeMutablePointer<AudioOutputPort>
  let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  let outputCount: Int
  let inputPorts: UnsafeMutablePointer<AudioInputPort>
  let inputs: UnsafeMutablePointer<UnsafePointer<Float>?>
  let inputCount: Int
  let voices: UnsafeMutablePointer<VoiceRenderer>
  let voiceCount: Int
  let taps: UnsafeMutablePointer<TapEntry>
  let tapCount: Int
}

/// The process callback of the app's client: voices out, recorders in, in one cycle.
///
/// [audio-thread & active] — never blocks, never allocates.
@c(multiroute_app_process) @_noLocks @_noAllocation
func appProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: AppProcess.self) { state, scope in
    if let plan = unsafe state.pointee.plans.endpoint.take() {
      unsafe state.pointee.plan = plan
      unsafe state.pointee.adopted.store(plan.pointee.number, ordering: .releasing)
    }
    let last = unsafe state.pointee.frame.load(ordering: .relaxed)
    let elapsed = scope.frameTime &- UInt32(truncatingIfNeeded: last)
    let frame = last == 0 ? UInt64(scope.frameTime) : last &+ UInt64(elapsed)
    unsafe state.pointee.frame.store(frame, ordering: .relaxed)
    let plan = unsafe state.pointee.plan
    let count = Int(frames)
    for index in 0..<(unsafe plan.pointee.outputCount) {
      let samples = unsafe scope.samples(of: plan.pointee.outputPorts[index])
      unsafe plan.pointee.outputs[index] = samples.baseAddress
      for sample in 0..<samples.count { unsafe samples[sample] = 0 }
    }
    for index in 0..<(unsafe plan.pointee.voiceCount) {
      unsafe plan.pointee.voices[index].render(
        into: plan.pointee.outputs,
        outputCount: plan.pointee.outputCount,
        frames: count,
        cycleFrame: frame,
      )
    }
    let isOpen = unsafe state.pointee.isInputOpen.load(ordering: .relaxed)
    for index in 0..<(unsafe plan.pointee.inputCount) {
      let samples = unsafe scope.samples(of: plan.pointee.inputPorts[index])
      unsafe plan.pointee.inputs[index] = isOpen ? samples.baseAddress : nil
    }
    for index in 0..<(unsafe plan.pointee.tapCount) {
      let entry = unsafe plan.pointee.taps[index]
      for channel in 0..<entry.tap.channels {
        let input = unsafe Int(entry.inputs[channel])
        let isThere = unsafe input >= 0 && input < plan.pointee.inputCount
        unsafe entry.buffers[channel] = isThere ? plan.pointee.inputs[input] : nil
        entry.measure(channel, frames: count)
      }
      entry.record(frames: count, cycleFrame: frame)
    }
  }
}
