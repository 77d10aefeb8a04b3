// SPDX-License-Identifier: MIT

internal import Synchronization

/// How much of a chain of effects is heard: the crossfade between with and without.
///
/// Made and freed by the control thread, which sets the target; the audio thread goes there in a
/// straight line over `fadeFrames`, and is exact at both ends: the samples are passed on as they
/// are.
@safe
struct InsertFader: ~Copyable {
  /// The longest cycle that JACK has.
  private static let capacityFrames = 8192

  private let targetBits = Atomic<UInt32>(0)
  private let landedBits = Atomic<UInt32>(0)
  private let stepLinear: Float
  private var wet: Float = 0
  private let channels: Int
  private let mixed: UnsafeMutablePointer<Float>

  init(channels: Int, fadeFrames: Int) {
    self.channels = channels
    stepLinear = 1 / Float(max(1, fadeFrames))
    unsafe mixed = .allocate(capacity: channels * Self.capacityFrames)
    unsafe mixed.initialize(repeating: 0, count: channels * Self.capacityFrames)
  }

  deinit { unsafe mixed.deallocate() }

  // MARK: - Control

  /// Sets where to go, 0 (without) … 1 (with). [control-thread]
  func setTarget(_ wet: Double) {
    targetBits.store(Float(wet).bitPattern, ordering: .relaxed)
  }

  /// Where the last cycle has ended, 0 … 1. [control-thread]
  var landed: Double { Double(Float(bitPattern: landedBits.load(ordering: .acquiring))) }

  // MARK: - Audio

  /// Where this cycle goes to. [audio-thread]
  private var target: Float {
    @_noLocks @_noAllocation get { Float(bitPattern: targetBits.load(ordering: .relaxed)) }
  }

  /// One step towards the target. [audio-thread]
  @_noLocks @_noAllocation
  private func next(_ level: Float, _ target: Float) -> Float {
    level < target ? min(target, level + stepLinear) : max(target, level - stepLinear)
  }

  /// Where one channel's samples of this cycle are: the dry ones, the wet ones, or a mix of both.
  /// [audio-thread]
  @_noLocks @_noAllocation
  func select(
    channel: Int,
    dry: UnsafePointer<Float>?,
    wet: UnsafePointer<Float>?,
    frames: Int,
  ) -> UnsafePointer<Float>? {
    let target = target
    guard channel < channels, frames <= Self.capacityFrames, let dry = unsafe dry,
      let wet = unsafe wet
    else { return unsafe dry }
    if self.wet == target {
      if target == 0 { return unsafe dry }
      if target == 1 { return unsafe wet }
    }
    let buffer = unsafe mixed + channel * Self.capacityFrames
    var level = self.wet
    for index in 0..<frames {
      level = next(level, target)
      unsafe buffer[index] = dry[index] * (1 - level) + wet[index] * level
    }
    return unsafe UnsafePointer(buffer)
  }

  /// Deals one channel's samples out: what goes through the effects, and what stays. [audio-thread]
  @_noLocks @_noAllocation
  func split(
    _ samples: UnsafeMutablePointer<Float>?,
    send: UnsafeMutablePointer<Float>?,
    frames: Int,
  ) {
    guard let samples = unsafe samples, let send = unsafe send else { return }
    let target = target
    var level = wet
    for index in 0..<frames {
      level = next(level, target)
      let sample = unsafe samples[index]
      unsafe send[index] = level == 0 ? 0 : sample * level
      unsafe samples[index] = level == 1 ? 0 : sample * (1 - level)
    }
  }

  /// Ends the cycle, after all channels. [audio-thread]
  @_noLocks @_noAllocation
  mutating func finishCycle(frames: Int) {
    let target = target
    let way = stepLinear * Float(frames)
    wet = wet < target ? min(target, wet + way) : max(target, wet - way)
    landedBits.store(wet.bitPattern, ordering: .releasing)
  }
}
