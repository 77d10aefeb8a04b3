// SPDX-License-Identifier: MIT

import CRealtime
import JACK
import Synchronization

/// Plays the loop of the bridge benchmark. [audio-thread]
@c(latency_lab_bridge_player) @_noLocks @_noAllocation
func bridgePlayerProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: BridgeTapState.self) { state, scope in
    unsafe state.pointee.stamp(scope, now: realtime_now_nanoseconds())
    let length = unsafe state.pointee.frames
    let start = unsafe state.pointee.position
    for channel in 0..<2 {
      guard let port = unsafe state.pointee.outputs[channel] else { continue }
      let samples = unsafe scope.samples(of: port)
      for frame in 0..<samples.count {
        unsafe samples[frame] = state.pointee.samples[channel * length + (start + frame) % length]
      }
    }
    unsafe state.pointee.position += Int(frames)
  }
}

/// Records for the bridge benchmark. [audio-thread]
@c(latency_lab_bridge_recorder) @_noLocks @_noAllocation
func bridgeRecorderProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: BridgeTapState.self) { state, scope in
    unsafe state.pointee.stamp(scope, now: realtime_now_nanoseconds())
    let length = unsafe state.pointee.frames
    let start = unsafe state.pointee.position
    let count = min(Int(frames), length - start)
    for channel in 0..<2 {
      guard let port = unsafe state.pointee.inputs[channel] else { continue }
      let samples = unsafe scope.samples(of: port)
      for frame in 0..<min(count, samples.count) {
        unsafe state.pointee.samples[channel * length + start + frame] = samples[frame]
      }
    }
    unsafe state.pointee.position += max(0, count)
    unsafe state.pointee.recordedFrames.store(state.pointee.position, ordering: .releasing)
  }
}
