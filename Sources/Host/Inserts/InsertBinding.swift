// SPDX-License-Identifier: MIT

internal import JACK

/// The ports of a chain of effects among those of a mix, as the audio thread needs them.
///
/// Belongs to one ``PortArrangement``; the fader outlives it.
@safe
struct InsertBinding: BitwiseCopyable {
  let fader: UnsafeMutablePointer<InsertFader>
  /// The place of the first channel among the mix's inputs, or outputs.
  let first: Int
  let channels: Int
  /// For a strip: where the sound comes back from the effects.
  let returns: UnsafeMutablePointer<AudioInputPort>?
  /// For a route: where the sound goes to the effects.
  let sends: UnsafeMutablePointer<AudioOutputPort>?

  /// Puts what comes back from the effects in place of what came in. [audio-thread]
  @_noLocks @_noAllocation
  func apply(
    toInputs inputs: UnsafeMutablePointer<UnsafePointer<Float>?>,
    _ scope: borrowing ProcessScope,
  ) {
    guard let returns = unsafe returns else { return }
    for channel in 0..<channels {
      let wet = unsafe scope.samples(of: returns[channel])
      unsafe inputs[first + channel] = fader.pointee.select(
        channel: channel,
        dry: inputs[first + channel],
        wet: wet.baseAddress,
        frames: Int(scope.frames),
      )
    }
    unsafe fader.pointee.finishCycle(frames: Int(scope.frames))
  }

  /// Sends what goes out through the effects. [audio-thread]
  @_noLocks @_noAllocation
  func apply(
    toOutputs outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>,
    _ scope: borrowing ProcessScope,
  ) {
    guard let sends = unsafe sends else { return }
    for channel in 0..<channels {
      let send = unsafe scope.samples(of: sends[channel])
      unsafe fader.pointee.split(
        outputs[first + channel],
        send: send.baseAddress,
        frames: Int(scope.frames),
      )
    }
    unsafe fader.pointee.finishCycle(frames: Int(scope.frames))
  }
}
