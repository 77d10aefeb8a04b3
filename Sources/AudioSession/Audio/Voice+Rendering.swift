// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import Realtime
internal import Synchronization

/// The audio side of a voice: a pointer, free to copy.
@safe
struct VoiceRenderer: BitwiseCopyable {
  let state: UnsafeMutablePointer<Voice.State>

  /// Adds what the voice plays in this cycle to the app's outputs.
  ///
  /// - Parameters:
  ///   - outputs: One pointer for each output of the app.
  ///   - outputCount: How many.
  ///   - frames: The cycle's length; what is over ``VoiceLimits/maximumFrames`` is left out.
  ///   - cycleFrame: JACK's time at its first frame, unwrapped.
  /// - Complexity: O(frames × channels).
  /// [audio-thread] — never blocks, never allocates.
  @_noLocks @_noAllocation
  func render(
    into outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>,
    outputCount: Int,
    frames: Int,
    cycleFrame: UInt64,
  ) {
    let start = unsafe state.pointee.startFrame.load(ordering: .relaxed)
    let offset = start > cycleFrame ? Int(min(start - cycleFrame, UInt64(frames))) : 0
    let count = min(frames - offset, VoiceLimits.maximumFrames)
    guard count > 0 else { return }
    let source = unsafe state.pointee.source
    unsafe source.read(into: UnsafePointer(state.pointee.buffers), frames: count)
    let step = unsafe 1 / Float(state.pointee.fadeFrames.load(ordering: .relaxed))
    for channel in 0..<source.channels {
      let target = unsafe Float(
        bitPattern: state.pointee.targets[channel].load(ordering: .relaxed)
      )
      var gain = unsafe state.pointee.gains[channel]
      let samples = unsafe state.pointee.samples + channel * VoiceLimits.maximumFrames
      let output = unsafe Int(state.pointee.outputs[channel])
      var peak: Float = 0
      var sum: Float = 0
      let destination =
        output >= 0 && output < outputCount
        ? unsafe outputs[output].map { unsafe $0 + offset } : nil
      for frame in 0..<count {
        if gain != target {
          gain = gain < target ? min(target, gain + step) : max(target, gain - step)
        }
        let sample = unsafe samples[frame] * gain
        peak = max(peak, sample.magnitude)
        sum += sample * sample
        if let destination = unsafe destination { unsafe destination[frame] += sample }
      }
      unsafe state.pointee.gains[channel] = gain
      unsafe state.pointee.meters[channel].update(
        peak: peak,
        meanSquare: sum / Float(count),
        smoothing: 0.05,
      )
    }
  }
}
