// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import Realtime
internal import Synchronization

/// A recorder's part of the app's process callback.
///
/// Belongs to the control thread.
@safe
final class Recording: @unchecked Sendable {
  let recorder: FileRecorder
  let entry: TapEntry

  init(_ recorder: FileRecorder, inputs: [Int]) {
    self.recorder = recorder
    let channels = recorder.tap.channels
    let map = UnsafeMutablePointer<Int32>.allocate(capacity: channels)
    let buffers = UnsafeMutablePointer<UnsafePointer<Float>?>.allocate(capacity: channels)
    let meters = UnsafeMutablePointer<MeterCell>.allocate(capacity: channels)
    let span = UnsafeMutablePointer<RecordingSpan>.allocate(capacity: 1)
    unsafe span.initialize(to: RecordingSpan())
    for channel in 0..<channels {
      unsafe (map + channel).initialize(to: Int32(channel < inputs.count ? inputs[channel] : -1))
      unsafe (buffers + channel).initialize(to: nil)
      unsafe (meters + channel).initialize(to: MeterCell())
    }
    unsafe entry = TapEntry(
      tap: recorder.tap,
      inputs: map,
      buffers: buffers,
      meters: meters,
      span: span,
    )
  }

  deinit {
    unsafe entry.inputs.deallocate()
    unsafe entry.buffers.deallocate()
    unsafe entry.meters.deinitialize(count: recorder.tap.channels)
    unsafe entry.meters.deallocate()
    unsafe entry.span.deinitialize(count: 1)
    unsafe entry.span.deallocate()
  }

  /// Begins at a frame of JACK's time, unwrapped, 0 at once; ends after so many frames, nil without an end. [any-thread]
  func setSpan(startFrame: UInt64, frames: Int?) {
    unsafe entry.span.pointee.startFrame.store(startFrame, ordering: .relaxed)
    unsafe entry.span.pointee.framesLeft.store(frames ?? .max, ordering: .relaxed)
  }

  /// The frames that are still to be recorded; nil without an end. [any-thread]
  var framesLeft: Int? {
    let frames = unsafe entry.span.pointee.framesLeft.load(ordering: .relaxed)
    return frames == .max ? nil : frames
  }

  /// The levels of the channels since the last reading. [control-thread]
  var levels: [MeterReading] {
    (0..<recorder.tap.channels).map { unsafe entry.meters[$0].read() }
  }
}

/// The part of the input that is recorded.
struct RecordingSpan: ~Copyable {
  /// The first frame in JACK's time, unwrapped; 0 is at once.
  let startFrame = Atomic<UInt64>(0)
  /// The frames that are still to be recorded; `Int.max` without an end.
  let framesLeft = Atomic<Int>(.max)
}

/// A recorder and the inputs it takes, for the audio thread.
@safe
struct TapEntry: BitwiseCopyable {
  let tap: RecorderTap
  /// For each channel the app's input, -1 for silence.
  let inputs: UnsafeMutablePointer<Int32>
  let buffers: UnsafeMutablePointer<UnsafePointer<Float>?>
  /// For each channel its level.
  let meters: UnsafeMutablePointer<MeterCell>
  let span: UnsafeMutablePointer<RecordingSpan>

  /// Gives the file the frames of a cycle that are in the recording's span.
  ///
  /// - Parameters:
  ///   - frames: The cycle's length.
  ///   - cycleFrame: JACK's time at its first frame, unwrapped.
  /// - Complexity: O(frames × channels).
  /// [audio-thread & active] — never blocks, never allocates.
  @_noLocks @_noAllocation
  func record(frames: Int, cycleFrame: UInt64) {
    guard tap.isTaking else { return }
    let start = unsafe span.pointee.startFrame.load(ordering: .relaxed)
    let offset = start > cycleFrame ? Int(min(start - cycleFrame, UInt64(frames))) : 0
    let left = unsafe span.pointee.framesLeft.load(ordering: .relaxed)
    let count = min(frames - offset, left)
    guard count > 0 else { return }
    if offset > 0 {
      for channel in 0..<tap.channels {
        unsafe buffers[channel] = buffers[channel].map { unsafe $0 + offset }
      }
    }
    unsafe tap.write(UnsafePointer(buffers), frames: count)
    if left != .max { unsafe span.pointee.framesLeft.store(left - count, ordering: .relaxed) }
  }

  /// Measures the level of a channel; a channel without an input is silent.
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
