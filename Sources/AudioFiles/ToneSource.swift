// SPDX-License-Identifier: MIT

/// The audio side of a `ToneGenerator`: a pointer, free to copy, valid while the generator lives.
@safe
public struct ToneSource: BitwiseCopyable, @unchecked Sendable {
  let state: UnsafeMutablePointer<State>

  /// Writes the next frames, the same to every channel.
  ///
  /// - Parameters:
  ///   - outputs: One pointer per channel; a nil one is left out.
  ///   - channels: The number of pointers.
  ///   - frames: 0 or more.
  /// - Complexity: O(frames × channels).
  /// [audio-thread] — never blocks, never allocates.
  @_noLocks @_noAllocation
  public func read(
    into outputs: UnsafePointer<UnsafeMutablePointer<Float>?>,
    channels: Int,
    frames: Int,
  ) {
    var tone = unsafe state.pointee
    tone.takeCommands()
    var frame = 0
    while frame < frames {
      let sample = tone.next()
      for channel in 0..<channels {
        if let output = unsafe outputs[channel] { unsafe output[frame] = sample }
      }
      frame += 1
    }
    unsafe state.pointee = tone
  }
}
