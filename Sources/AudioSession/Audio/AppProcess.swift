// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import JACK
internal import Realtime
internal import Synchronization

/// What the process callback of the app's client works on.
@safe
struct AppProcess: ~Copyable {
  /// Of this client only: a plan that was left in it names ports which are gone with the client.
  let plans = PlanCell<AppPlan>()
  var plan: UnsafeMutablePointer<AppPlan>
  /// The number of the plan in force.
  let adopted = Atomic<UInt64>(0)
  /// Whether recorders get the input; silence otherwise (PRM-1).
  let isInputOpen = Atomic<Bool>(false)
  /// JACK's time at the last cycle, unwrapped to 64 bits.
  let frame = Atomic<UInt64>(0)

  init(plan: UnsafeMutablePointer<AppPlan>) { unsafe self.plan = unsafe plan }
}

/// Who plays and records, to and from which ports: trivial memory, immutable once published.
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

/// One recorder and which inputs it takes.
@safe
struct TapEntry: BitwiseCopyable {
  let tap: RecorderTap
  /// For each channel the app's input, -1 for silence.
  let inputs: UnsafeMutablePointer<Int32>
  let buffers: UnsafeMutablePointer<UnsafePointer<Float>?>
  /// For each channel its level.
  let meters: UnsafeMutablePointer<MeterCell>

  /// Measures a channel, which is silence where it has no input.
  ///
  /// [audio-thread & active] — never blocks, never allocates.
  @_noLocks @_noAllocation
  func measure(_ channel: Int, frames: Int) {
    var peak: Float = 0
    var sum: Float = 0
    if let samples = unsafe buffers[channel] {
      for frame in 0..<frames {
        let sample = unsafe samples[frame]
        peak = max(peak, sample.magnitude)
        sum += sample * sample
      }
    }
    unsafe meters[channel].update(
      peak: peak,
      meanSquare: sum / Float(max(1, frames)),
      smoothing: 0.05,
    )
  }
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
      unsafe entry.tap.write(UnsafePointer(entry.buffers), frames: count)
    }
  }
}
