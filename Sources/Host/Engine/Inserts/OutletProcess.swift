// SPDX-License-Identifier: MIT

internal import JACK
internal import Mixing
internal import Synchronization

/// The state of the process callback of a route's outlet.
///
/// Made and freed by the control thread.
@safe
struct OutletProcess: ~Copyable {
  /// The share of the period that is left when the outlet stops waiting for the effects, as a divisor.
  ///
  /// It can be small: only the server waits for the outlet. The mix may have waited for a strip's nodes before.
  private static let leftPart: UInt64 = 8

  private let link: OutletLink
  private let taker: UnsafeMutablePointer<ReturnTaker>
  private let ports: UnsafeMutablePointer<AudioOutputPort>
  private let channels: Int
  /// The gain of the returned sound: 0 after a miss, until the sound has been there for a while.
  private var trust: InsertFader
  /// The share of the effects in the last frame of the previous cycle, 0 … 1.
  private var lastLevel: Float = 0
  private let silenced = Atomic<UInt64>(0)
  private let clamped = Atomic<UInt64>(0)
  /// Whether the effects were to be heard in the previous cycle.
  private var wasWanted = false

  /// Allocates its memory, except for the taker. [control-thread]
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

  /// The gain of the returned sound after the last cycle, 0 … 1. [control-thread]
  var landedTrust: Double { trust.landed }

  /// The samples of the effects that were silenced or clamped. [control-thread]
  var faults: InputFaults {
    InputFaults(
      silencedSamples: silenced.load(ordering: .relaxed),
      clampedSamples: clamped.load(ordering: .relaxed),
    )
  }

  /// Cleans the samples that the effects have returned; only this thread counts. [audio-thread]
  @_noLocks @_noAllocation
  private func clean(_ samples: UnsafeMutablePointer<Float>, frames: Int) {
    let faults = unsafe InputFaults.clean(samples, frames: frames)
    let silencedCount = silenced.load(ordering: .relaxed) &+ faults.silencedSamples
    let clampedCount = clamped.load(ordering: .relaxed) &+ faults.clampedSamples
    silenced.store(silencedCount, ordering: .relaxed)
    clamped.store(clampedCount, ordering: .relaxed)
  }

  /// Plays a cycle: the effects' sound, or the share that it should replace. [audio-thread]
  @_noLocks @_noAllocation
  mutating func play(_ scope: borrowing ProcessScope) {
    link.playing.give(scope)
    let frames = min(Int(scope.frames), CycleHandover.capacityFrames)
    let deadline =
      scope.isFreewheeling
      ? scope.freewheelDeadlineNanoseconds
      : scope.handoverDeadlineNanoseconds(costNanoseconds: 0, leavingOneOf: Self.leftPart)
    // Without the mix, play silence, as all ports of the host do.
    let hasShare = link.share.take(scope, until: deadline)
    let levels = unsafe link.share.samples(channels)
    let isWanted =
      unsafe hasShare && frames > 0 && (levels[0] > 0 || levels[frames - 1] > 0)
    let outcome = unsafe taker.pointee.take(isWanted: isWanted, until: deadline, scope)
    // A miss in the very first cycle of a crossfade leaves no gap.
    let isMissing = isWanted && wasWanted || !hasShare
    for channel in 0..<channels {
      let output = unsafe scope.samples(of: ports[channel])
      guard let samples = output.baseAddress else { continue }
      var wet: UnsafePointer<Float>?
      if case .here = outcome {
        let back = unsafe taker.pointee.handover.samples(channel)
        unsafe clean(back, frames: frames)
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
        share: hasShare ? unsafe InsertFader.Share(levels: levels, last: lastLevel) : nil,
        frames: frames,
      )
      guard let heard = unsafe heard, unsafe heard != UnsafePointer(samples) else { continue }
      for index in 0..<frames { unsafe samples[index] = heard[index] }
    }
    // The effects cannot be missing where they are not heard.
    let isTrusted = if case .here = outcome { true } else { hasShare && !isWanted }
    trust.finishCycle(frames: frames, isHere: isTrusted)
    wasWanted = isWanted
    if hasShare, frames > 0 { lastLevel = unsafe levels[frames - 1] }
  }
}

/// The process callback of a route's outlet.
///
/// [audio-thread & active] — waits for the mix and the route's effects, until a deadline; never
/// allocates.
@c(multiroute_outlet_process) @_noLocks @_noAllocation
func outletProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: OutletProcess.self) { state, scope in
    unsafe state.pointee.play(scope)
  }
}
