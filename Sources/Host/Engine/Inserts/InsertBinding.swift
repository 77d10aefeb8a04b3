// SPDX-License-Identifier: MIT

internal import JACK

/// The audio thread's view of the nodes of a strip or route, by the channels of a mix.
///
/// Belongs to one ``PortArrangement``; what it points to outlives it.
@safe
struct InsertBinding: BitwiseCopyable {
  let fader: UnsafeMutablePointer<InsertFader>
  /// The index of the first channel among the mix's inputs, or outputs.
  let first: Int
  let channels: Int
  /// For a strip: takes the sound that its nodes return.
  let taker: UnsafeMutablePointer<ReturnTaker>?
  /// For a strip: whether its source is a node, which comes in by the strip's own client in the
  /// first channels taken.
  let hasInlets: Bool
  /// For a route: the ports that send its sound to the effects.
  let sends: UnsafeMutablePointer<AudioOutputPort>?
  /// For a route: the link to its outlet.
  let outlet: OutletLink?

  /// Replaces the input by the sound that the nodes return, and waits for it until the deadline (on
  /// CLOCK_MONOTONIC) at most. [audio-thread]
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

  /// Sends the route's sound to the effects, and hands the share that they replace to the outlet.
  /// [audio-thread]
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

/// The place of a chain of effects.
enum InsertPlace: Hashable, Sendable {
  /// Between a source and its strip.
  case strip(String)
  /// Between a route and its ports.
  case route(String)

  /// The strip's id or the route's name.
  var name: String {
    switch self {
    case .strip(let name), .route(let name): name
    }
  }

  /// The place in words.
  var description: String {
    switch self {
    case .strip(let name): "strip '\(name)'"
    case .route(let name): "route '\(name)'"
    }
  }
}
