// SPDX-License-Identifier: MIT

internal import JACK
internal import Synchronization

/// How much of a chain of effects is heard: the crossfade between with and without.
///
/// Made and freed by the control thread, which sets the target; the audio thread goes there in a
/// straight line over `fadeFrames`, and is exact at both ends: the samples are passed on as they
/// are.
@safe
struct InsertFader: ~Copyable {
  /// Over how many frames the sound goes to the one without effects where they have not come in time.
  private static let bridgeFrames = 64

  private let targetBits = Atomic<UInt32>(0)
  private let landedBits = Atomic<UInt32>(0)
  private let stepLinear: Float
  private var wet: Float = 0
  /// How much of what comes in by the strip's own client is heard: all, but after a gap.
  private var entry: Float = 1
  /// Whether the cycle before had what comes back.
  private var wasHere = false
  /// Whether the effects can be heard at all.
  private var isOpen = true
  private let channels: Int
  private let mixed: UnsafeMutablePointer<Float>
  /// The last sample of each channel.
  private let last: UnsafeMutablePointer<Float>

  init(channels: Int, fadeFrames: Int) {
    self.channels = channels
    stepLinear = 1 / Float(max(1, fadeFrames))
    let capacity = channels * CycleHandover.capacityFrames
    unsafe mixed = .allocate(capacity: capacity)
    unsafe mixed.initialize(repeating: 0, count: capacity)
    unsafe last = .allocate(capacity: channels)
    unsafe last.initialize(repeating: 0, count: channels)
  }

  deinit {
    unsafe mixed.deallocate()
    unsafe last.deallocate()
  }

  // MARK: - Control

  /// Sets where to go, 0 (without) … 1 (with). [control-thread]
  func setTarget(_ wet: Double) {
    targetBits.store(Float(wet).bitPattern, ordering: .relaxed)
  }

  /// Where the last cycle has ended, 0 … 1. [control-thread]
  var landed: Double { Double(Float(bitPattern: landedBits.load(ordering: .acquiring))) }

  // MARK: - Audio

  /// Whether anything of the effects is heard in this cycle. [audio-thread]
  var isHeard: Bool { @_noLocks @_noAllocation get { wet > 0 || target > 0 } }

  /// Where this cycle goes to. [audio-thread]
  private var target: Float {
    @_noLocks @_noAllocation get {
      isOpen ? Float(bitPattern: targetBits.load(ordering: .relaxed)) : 0
    }
  }

  /// One step towards the target. [audio-thread]
  @_noLocks @_noAllocation
  private func next(_ level: Float, _ target: Float) -> Float {
    level < target ? min(target, level + stepLinear) : max(target, level - stepLinear)
  }

  /// Where one channel's samples of this cycle are: the dry ones, the wet ones, or a mix of both.
  ///
  /// - Parameters:
  ///   - channel: The channel, from 0.
  ///   - own: What has come in at the mix's port.
  ///   - inlet: What has come in by the strip's own client, which is heard beside; changed here.
  ///   - wet: What has come back from the effects; nil where nothing has, or it is not wanted.
  ///   - isMissing: Whether it is wanted, and has not come.
  ///   - frames: The length of the cycle.
  /// - Returns: The samples.
  ///
  /// [audio-thread]
  @_noLocks @_noAllocation
  func select(
    channel: Int,
    own: UnsafePointer<Float>?,
    inlet: UnsafeMutablePointer<Float>?,
    wet: UnsafePointer<Float>?,
    isMissing: Bool,
    frames: Int,
  ) -> UnsafePointer<Float>? {
    guard channel < channels, frames > 0, frames <= CycleHandover.capacityFrames,
      let own = unsafe own
    else { return unsafe own }
    var heard = unsafe own
    if let inlet = unsafe inlet {
      unsafe enter(inlet, beside: own, frames: frames)
      unsafe heard = unsafe UnsafePointer(inlet)
    }
    let buffer = unsafe mixed + channel * CycleHandover.capacityFrames
    if let wet = unsafe wet {
      unsafe heard = unsafe crossfade(heard, wet, into: buffer, frames: frames)
    } else if isMissing, wasHere {
      unsafe heard = unsafe bridge(last[channel], to: heard, into: buffer, frames: frames)
    }
    unsafe last[channel] = heard[frames - 1]
    return unsafe heard
  }

  /// Adds what comes in at the mix's port to what comes in by the strip's own client.
  @_noLocks @_noAllocation
  private func enter(
    _ inlet: UnsafeMutablePointer<Float>,
    beside own: UnsafePointer<Float>,
    frames: Int,
  ) {
    var level = entry
    for index in 0..<frames {
      level = next(level, 1)
      unsafe inlet[index] = inlet[index] * level + own[index]
    }
  }

  @_noLocks @_noAllocation
  private func crossfade(
    _ dry: UnsafePointer<Float>,
    _ wet: UnsafePointer<Float>,
    into buffer: UnsafeMutablePointer<Float>,
    frames: Int,
  ) -> UnsafePointer<Float> {
    let target = target
    if self.wet == target {
      if target == 0 { return unsafe dry }
      if target == 1 { return unsafe wet }
    }
    var level = self.wet
    for index in 0..<frames {
      level = next(level, target)
      unsafe buffer[index] = dry[index] * (1 - level) + wet[index] * level
    }
    return unsafe UnsafePointer(buffer)
  }

  /// Goes from the last sample to the dry ones, so that a gap does not click.
  @_noLocks @_noAllocation
  private func bridge(
    _ start: Float,
    to dry: UnsafePointer<Float>,
    into buffer: UnsafeMutablePointer<Float>,
    frames: Int,
  ) -> UnsafePointer<Float> {
    let length = min(frames, Self.bridgeFrames)
    for index in 0..<frames {
      let level = min(1, Float(index + 1) / Float(length))
      unsafe buffer[index] = start * (1 - level) + dry[index] * level
    }
    return unsafe UnsafePointer(buffer)
  }

  /// Goes to the sound without effects from this cycle on where they cannot be heard, whatever the target.
  /// [audio-thread]
  @_noLocks @_noAllocation
  mutating func setOpen(_ isOpen: Bool) { self.isOpen = isOpen }

  /// Deals one channel's samples of a route out.
  ///
  /// - Parameters:
  ///   - samples: The route's, of which those are left that are heard beside the effects.
  ///   - send: What the effects hear: all.
  ///   - share: What the effects are to replace.
  ///   - frames: The length of the cycle.
  ///
  /// [audio-thread]
  @_noLocks @_noAllocation
  func split(
    _ samples: UnsafeMutablePointer<Float>?,
    send: UnsafeMutablePointer<Float>?,
    share: UnsafeMutablePointer<Float>,
    frames: Int,
  ) {
    guard let samples = unsafe samples else { return }
    let target = target
    var level = wet
    for index in 0..<min(frames, CycleHandover.capacityFrames) {
      level = next(level, target)
      let sample = unsafe samples[index]
      unsafe send?[index] = sample
      unsafe share[index] = level == 0 ? 0 : sample * level
      unsafe samples[index] = level == 1 ? 0 : sample * (1 - level)
    }
  }

  /// How much of the effects is heard in each frame of this cycle. [audio-thread]
  @_noLocks @_noAllocation
  func levels(into buffer: UnsafeMutablePointer<Float>, frames: Int) {
    let target = target
    var level = wet
    for index in 0..<min(frames, CycleHandover.capacityFrames) {
      level = next(level, target)
      unsafe buffer[index] = level
    }
  }

  /// Ends the cycle, after all channels.
  ///
  /// - Parameters:
  ///   - frames: Its length.
  ///   - isHere: Whether what comes back has come in time.
  ///
  /// [audio-thread]
  @_noLocks @_noAllocation
  mutating func finishCycle(frames: Int, isHere: Bool) {
    if isHere {
      let target = target
      let way = stepLinear * Float(frames)
      wet = wet < target ? min(target, wet + way) : max(target, wet - way)
      entry = min(1, entry + way)
    } else {
      wet = 0
      entry = 0
    }
    wasHere = isHere
    landedBits.store(wet.bitPattern, ordering: .releasing)
  }
}
