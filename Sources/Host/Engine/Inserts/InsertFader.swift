// SPDX-License-Identifier: MIT

internal import JACK
internal import Synchronization

/// The crossfade of one chain of effects between the sound with and without them.
///
/// The control thread makes and frees it, and sets the target. The audio thread moves there in a
/// straight line over `fadeFrames`. At both ends it is exact: samples are passed on unchanged.
@safe
struct InsertFader: ~Copyable {
  /// The length in frames of the fade to the sound without effects after a miss.
  private static let bridgeFrames = 64

  private let targetBits = Atomic<UInt32>(0)
  private let landedBits = Atomic<UInt32>(0)
  private let stepLinear: Float
  private var wet: Float = 0
  /// The gain of the sound that comes in by the strip's own client, 0…1; below 1 only after a gap.
  private var entry: Float = 1
  /// Whether the effects' sound was there in the previous cycle.
  private var wasHere = false
  /// Whether the effects can be heard at all.
  private var isOpen = true
  private let channels: Int
  private let mixed: UnsafeMutablePointer<Float>
  /// The last sample of each channel.
  private let last: UnsafeMutablePointer<Float>

  /// Allocates the fader's samples; `free` releases them. [control-thread]
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

  /// Sets the target: 0 without effects, 1 with effects. [control-thread]
  func setTarget(_ wet: Double) {
    targetBits.store(Float(wet).bitPattern, ordering: .relaxed)
  }

  /// The share of effects at the end of the last cycle, 0…1. [control-thread]
  var landed: Double { Double(Float(bitPattern: landedBits.load(ordering: .acquiring))) }

  // MARK: - Audio

  /// Whether the effects are heard in this cycle. [audio-thread]
  var isHeard: Bool { @_noLocks @_noAllocation get { wet > 0 || target > 0 } }

  /// The target share of this cycle. [audio-thread]
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

  /// Returns one channel's samples of this cycle: the dry ones, the wet ones, or a mix of both.
  ///
  /// - Parameters:
  ///   - channel: The channel, from 0.
  ///   - own: The samples at the mix's port.
  ///   - inlet: The samples that came in by the strip's own client, to which the result is added;
  ///     changed here.
  ///   - wet: The samples that the effects returned; nil where they are missing or not wanted.
  ///   - isMissing: Whether the effects' samples are wanted and missing.
  ///   - share: The part of the sound that `own` and `wet` are; nil for all of it.
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
    share: Share? = nil,
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
      unsafe heard = unsafe bridge(
        last[channel],
        share,
        to: heard,
        into: buffer,
        frames: frames,
      )
    }
    unsafe last[channel] = heard[frames - 1]
    return unsafe heard
  }

  /// Adds the samples at the mix's port to those that came in by the strip's own client.
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

  /// Fades from the last sample to the dry ones, so that a gap does not click.
  @_noLocks @_noAllocation
  private func bridge(
    _ start: Float,
    _ share: Share?,
    to dry: UnsafePointer<Float>,
    into buffer: UnsafeMutablePointer<Float>,
    frames: Int,
  ) -> UnsafePointer<Float> {
    let length = min(frames, Self.bridgeFrames)
    for index in 0..<frames {
      let level = min(1, Float(index + 1) / Float(length))
      let held = start * (share?.change(at: index) ?? 1)
      unsafe buffer[index] = held * (1 - level) + dry[index] * level
    }
    return unsafe UnsafePointer(buffer)
  }

  /// The part of a sound that is heard here, while the rest is heard elsewhere.
  ///
  /// A sound that is held over a miss must follow it, or it is heard twice while the part changes.
  @safe
  struct Share: BitwiseCopyable {
    /// The part in each frame, 0 … 1.
    let levels: UnsafeMutablePointer<Float>
    /// The part in the last frame before.
    let last: Float

    /// Makes the part of a cycle. [audio-thread]
    @_noLocks @_noAllocation
    init(levels: UnsafeMutablePointer<Float>, last: Float) {
      unsafe self.levels = unsafe levels
      self.last = last
    }

    /// The part in a frame as a multiple of the last one; 0 after none. [audio-thread]
    @_noLocks @_noAllocation
    func change(at index: Int) -> Float { last > 0 ? unsafe levels[index] / last : 0 }
  }

  /// Stops hearing the effects from this cycle on where they cannot be heard, whatever the target.
  /// [audio-thread]
  @_noLocks @_noAllocation
  mutating func setOpen(_ isOpen: Bool) { self.isOpen = isOpen }

  /// Splits one channel's samples of a route between the ports, the effects and the outlet.
  ///
  /// - Parameters:
  ///   - samples: The route's samples; only the share heard without effects remains.
  ///   - send: The effects' input: all samples.
  ///   - share: The samples that the effects replace.
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

  /// The share of the effects in each frame of this cycle. [audio-thread]
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
  ///   - isHere: Whether the effects' sound came in time.
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
