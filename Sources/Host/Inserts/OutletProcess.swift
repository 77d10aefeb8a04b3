// SPDX-License-Identifier: MIT

internal import JACK

/// What the process callback of a route's outlet works on.
///
/// Made and freed by the control thread.
@safe
struct OutletProcess: ~Copyable {
  /// The outlet waits for the effects until so small a part of the period is left: nobody but the server
  /// waits for it, and the mix may have waited for a strip's nodes before.
  private static let leftPart: UInt64 = 8

  private let link: OutletLink
  private let taker: UnsafeMutablePointer<ReturnTaker>
  private let ports: UnsafeMutablePointer<AudioOutputPort>
  private let channels: Int
  /// How much what comes back is trusted: not where it has been missing, until it has been there for a while.
  private var trust: InsertFader
  /// Whether anything of the effects was to be heard in the cycle before.
  private var wasWanted = false

  /// Allocates what it points to, but for the taker.
  init(
    _ ports: [AudioOutputPort],
    link: OutletLink,
    taker: UnsafeMutablePointer<ReturnTaker>,
    fadeFrames: Int,
  ) {
    self.link = link
    unsafe self.taker = unsafe taker
    channels = ports.count
    trust = InsertFader(channels: ports.count, fadeFrames: fadeFrames)
    trust.setTarget(1)
    unsafe self.ports = .allocate(capacity: max(1, ports.count))
    for (index, port) in ports.enumerated() {
      unsafe (self.ports + index).initialize(to: port)
    }
  }

  deinit { unsafe ports.deallocate() }

  /// How much what comes back is trusted after the last cycle, 0 … 1. [control-thread]
  var landedTrust: Double { trust.landed }

  /// Plays a cycle: what comes back, or what it was to replace. [audio-thread]
  @_noLocks @_noAllocation
  mutating func play(_ scope: borrowing ProcessScope) {
    link.playing.give(scope)
    let frames = min(Int(scope.frames), CycleHandover.capacityFrames)
    let deadline = scope.handoverDeadlineNanoseconds(
      costNanoseconds: 0,
      leavingOneOf: Self.leftPart,
    )
    // Without the mix there is nothing to play: silence, as at all of its ports.
    let hasShare = link.share.take(scope, until: deadline)
    let levels = unsafe link.share.samples(channels)
    let isWanted =
      unsafe hasShare && frames > 0 && (levels[0] > 0 || levels[frames - 1] > 0)
    let outcome = unsafe taker.pointee.take(isWanted: isWanted, until: deadline, scope)
    // What is missing at the very beginning of a crossfade leaves no gap.
    let isMissing = isWanted && wasWanted || !hasShare
    for channel in 0..<channels {
      let output = unsafe scope.samples(of: ports[channel])
      guard let samples = output.baseAddress else { continue }
      var wet: UnsafePointer<Float>?
      if case .here = outcome {
        let back = unsafe taker.pointee.handover.samples(channel)
        for index in 0..<frames { unsafe back[index] *= levels[index] }
        unsafe wet = unsafe UnsafePointer(back)
      }
      let share = unsafe link.share.samples(channel)
      for index in 0..<frames { unsafe samples[index] = hasShare ? share[index] : 0 }
      let heard = unsafe trust.select(
        channel: channel,
        own: samples,
        inlet: nil,
        wet: wet,
        isMissing: isMissing,
        frames: frames,
      )
      guard let heard = unsafe heard, unsafe heard != UnsafePointer(samples) else { continue }
      for index in 0..<frames { unsafe samples[index] = heard[index] }
    }
    // Where nothing of the effects is heard, nothing is missing.
    let isTrusted = if case .here = outcome { true } else { hasShare && !isWanted }
    trust.finishCycle(frames: frames, isHere: isTrusted)
    wasWanted = isWanted
  }
}

/// The process callback of a route's outlet.
///
/// [audio-thread & active] — waits for the mix and the route's effects, not beyond a deadline; never allocates.
@c(multiroute_outlet_process) @_noLocks @_noAllocation
func outletProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: OutletProcess.self) { state, scope in
    unsafe state.pointee.play(scope)
  }
}
