// SPDX-License-Identifier: MIT

import CRealtime
import Glibc
import JACK
import Synchronization

/// When a cycle began, by its first frame.
struct CycleStamp: BitwiseCopyable {
  var frame: Int
  /// On CLOCK_MONOTONIC.
  var nanoseconds: UInt64
}

/// State of the callbacks of the bridge benchmark's two clients.
@safe
struct BridgeTapState: ~Copyable {
  /// Two channels, one behind the other: the samples to play repeatedly, or the recording.
  let samples: UnsafeMutablePointer<Float>
  let frames: Int
  let stamps: UnsafeMutablePointer<CycleStamp>
  let stampCapacity: Int
  let rateHz: Double
  var outputs = InlineArray<2, AudioOutputPort?>(repeating: nil)
  var inputs = InlineArray<2, AudioInputPort?>(repeating: nil)
  var position = 0
  let stampCount = Atomic<Int>(0)
  let recordedFrames = Atomic<Int>(0)

  /// Makes the value. [control-thread]
  init(frames: Int, stampCapacity: Int, rateHz: Double) {
    self.frames = frames
    self.stampCapacity = stampCapacity
    self.rateHz = rateHz
    unsafe samples = .allocate(capacity: 2 * frames)
    unsafe samples.initialize(repeating: 0, count: 2 * frames)
    unsafe stamps = .allocate(capacity: stampCapacity)
    unsafe stamps.initialize(
      repeating: CycleStamp(frame: 0, nanoseconds: 0),
      count: stampCapacity,
    )
  }

  deinit {
    unsafe samples.deallocate()
    unsafe stamps.deallocate()
  }

  /// The stamps so far.
  var madeStamps: [CycleStamp] {
    let count = stampCount.load(ordering: .acquiring)
    return unsafe Array(UnsafeBufferPointer(start: stamps, count: count))
  }

  /// Notes when this cycle began, on the clock that all processes share. [audio-thread]
  @_noLocks @_noAllocation
  mutating func stamp(_ scope: borrowing ProcessScope, now: UInt64) {
    let count = stampCount.load(ordering: .relaxed)
    guard count < stampCapacity else { return }
    let age = Double(scope.framesSinceCycleStart) / rateHz * 1e9
    unsafe stamps[count] = CycleStamp(frame: position, nanoseconds: now &- UInt64(age))
    stampCount.store(count + 1, ordering: .releasing)
  }
}

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

/// The loop that the bridge benchmark plays: a second of a tone, and one impulse.
///
/// Pure value: [any-thread].
struct BridgeStimulus {
  /// The tone's frequency in Hz.
  static let toneHz = 997.0
  /// 997 Hz at −6 dBFS; a second holds a whole number of cycles, at any whole rate.
  let tone: [Float]
  /// One sample a second: they are equally far apart at any whole rate.
  let impulses: [Float]

  init(rateHz: Int) {
    tone = (0..<rateHz).map { frame in
      Float(0.501_187 * sin(2 * Double.pi * Self.toneHz * Double(frame) / Double(rateHz)))
    }
    var impulses = [Float](repeating: 0, count: rateHz)
    impulses[0] = 0.5
    self.impulses = impulses
  }

  /// Both, frame by frame.
  var interleaved: [Float] { zip(tone, impulses).flatMap { [$0, $1] } }
}
