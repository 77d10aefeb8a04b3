// SPDX-License-Identifier: MIT

internal import JACK

/// The nodes of a strip or route among the channels of a mix, as the audio thread needs them.
///
/// Belongs to one ``PortArrangement``; what it points to outlives it.
@safe
struct InsertBinding: BitwiseCopyable {
  let fader: UnsafeMutablePointer<InsertFader>
  /// The place of the first channel among the mix's inputs, or outputs.
  let first: Int
  let channels: Int
  /// For a strip: takes what comes back.
  let taker: UnsafeMutablePointer<ReturnTaker>?
  /// For a strip: whether its sound, too, comes in by its own client, in the first channels taken.
  let hasInlets: Bool
  /// For a route: where the sound goes to the effects.
  let sends: UnsafeMutablePointer<AudioOutputPort>?
  /// For a route: what its outlet is given.
  let outlet: OutletLink?

  /// Puts what comes back from the nodes in place of what came in, which may wait until the deadline (on
  /// CLOCK_MONOTONIC). [audio-thread]
  @_noLocks @_noAllocation
  func apply(
    toInputs inputs: UnsafeMutablePointer<UnsafePointer<Float>?>,
    until deadlineNanoseconds: UInt64,
    _ scope: borrowing ProcessScope,
  ) {
    guard let taker = unsafe taker else { return }
    let outcome = unsafe taker.pointee.take(
      isWanted: hasInlets || fader.pointee.isHeard,
      until: deadlineNanoseconds,
      scope,
    )
    let isHere = if case .here = outcome { true } else { false }
    let isMissing = if case .missing = outcome { true } else { false }
    for channel in 0..<channels {
      let place = hasInlets ? channels + channel : channel
      let inlet = unsafe isHere && hasInlets ? taker.pointee.handover.samples(channel) : nil
      let wet = unsafe isHere ? UnsafePointer(taker.pointee.handover.samples(place)) : nil
      unsafe inputs[first + channel] = fader.pointee.select(
        channel: channel,
        own: inputs[first + channel],
        inlet: inlet,
        wet: wet,
        isMissing: isMissing,
        frames: Int(scope.frames),
      )
    }
    unsafe fader.pointee.finishCycle(frames: Int(scope.frames), isHere: isHere)
  }

  /// Sends what goes out through the effects, and hands their share of it to the outlet. [audio-thread]
  @_noLocks @_noAllocation
  func apply(
    toOutputs outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>,
    _ scope: borrowing ProcessScope,
  ) {
    guard let sends = unsafe sends, let outlet else { return }
    let frames = Int(scope.frames)
    unsafe fader.pointee.setOpen(outlet.playing.isAlive(scope))
    for channel in 0..<channels {
      unsafe fader.pointee.split(
        outputs[first + channel],
        send: scope.samples(of: sends[channel]).baseAddress,
        share: outlet.share.next(channel),
        frames: frames,
      )
    }
    unsafe fader.pointee.levels(into: outlet.share.next(channels), frames: frames)
    outlet.share.give(scope)
    unsafe fader.pointee.finishCycle(frames: frames, isHere: true)
  }
}
