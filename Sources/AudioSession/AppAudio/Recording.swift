// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import Realtime

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
    for channel in 0..<channels {
      unsafe (map + channel).initialize(to: Int32(channel < inputs.count ? inputs[channel] : -1))
      unsafe (buffers + channel).initialize(to: nil)
      unsafe (meters + channel).initialize(to: MeterCell())
    }
    unsafe entry = TapEntry(tap: recorder.tap, inputs: map, buffers: buffers, meters: meters)
  }

  deinit {
    unsafe entry.inputs.deallocate()
    unsafe entry.buffers.deallocate()
    unsafe entry.meters.deinitialize(count: recorder.tap.channels)
    unsafe entry.meters.deallocate()
  }

  /// The levels of the channels since the last reading. [control-thread]
  var levels: [MeterReading] {
    (0..<recorder.tap.channels).map { unsafe entry.meters[$0].read() }
  }
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
