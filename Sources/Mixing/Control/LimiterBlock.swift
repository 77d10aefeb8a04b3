// SPDX-License-Identifier: MIT

import CMixKernels

/// The memory of a route's limiter.
///
/// Made, changed and freed by control, while the audio thread works on the memory: [control-thread].
@safe
final class LimiterBlock {
  let pointer: OpaquePointer
  private(set) var values: LimiterValues

  /// Makes a limiter; the audio thread does not have it yet.
  init(channels: Int, values: LimiterValues) {
    guard
      let pointer = unsafe mix_limiter_create(Int32(channels), Int32(values.lookaheadFrames))
    else { preconditionFailure("no memory for a limiter") }
    unsafe self.pointer = pointer
    self.values = values
    unsafe mix_limiter_set(pointer, values.ceiling, values.release)
  }

  deinit {
    unsafe mix_limiter_destroy(pointer)
  }

  /// The lowest linear gain since the last reading, 0…1.
  func takeLowestGain() -> Float { unsafe mix_limiter_take_lowest_gain(pointer) }

  /// Sets the limiter by a command that is still to be delivered.
  func set(_ values: LimiterValues) -> Command {
    self.values = values
    return unsafe Command(
      target: UnsafeMutableRawPointer(pointer),
      value: values.ceiling,
      extra: values.release,
      kind: .limiter,
    )
  }
}

#if canImport(Glibc)
  import Glibc
#endif

/// A ``LimiterSpec`` in the units of the audio thread.
///
/// A plain value: [any-thread].
struct LimiterValues: Equatable {
  /// Linear; infinity lets everything through.
  var ceiling: Float
  /// The share of the missing gain that comes back each frame.
  var release: Float
  var lookaheadFrames: Int

  /// Nil is a limiter that lets everything through, with the default release.
  init(_ spec: LimiterSpec?, sampleRateHz: Double) {
    let values = spec ?? LimiterSpec()
    ceiling = spec == nil ? .infinity : Decibels.linear(fromDB: values.ceilingDB)
    release = Float(1 - exp(-1 / (values.releaseSeconds * sampleRateHz)))
    lookaheadFrames = values.lookaheadFrames
  }
}

/// The memory of a route's delay.
///
/// Made, changed and freed by control, while the audio thread works on the memory: [control-thread].
@safe
final class DelayBlock {
  let state: UnsafeMutablePointer<DelayState>
  private let samples: UnsafeMutablePointer<Float>
  private(set) var frames: Int

  /// Makes a delay; the audio thread does not have it yet.
  ///
  /// - Parameters:
  ///   - channels: Of the route.
  ///   - frames: The delay.
  ///   - isNew: Whether the route has played no samples yet.
  ///   - sampleRateHz: Frames in a second: the longest delay and the fade follow from it.
  init(channels: Int, frames: Int, isNew: Bool, sampleRateHz: Double) {
    let longest = Int((RouteSpec.longestDelaySeconds * sampleRateHz).rounded(.up))
    var capacity = 2 * DelayState.pieceFrames
    while capacity < longest + DelayState.pieceFrames { capacity *= 2 }
    unsafe samples = .allocate(capacity: channels * capacity)
    // Touched now, so that the first lap on the audio thread takes no page fault.
    unsafe samples.initialize(repeating: 0, count: channels * capacity)
    self.frames = frames
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(
      to: DelayState(
        samples: samples,
        channels: channels,
        capacityFrames: capacity,
        fadeFrames: max(1, Int(0.005 * sampleRateHz)),
        frames: frames,
        isNew: isNew,
      )
    )
  }

  deinit {
    unsafe state.deallocate()
    unsafe samples.deallocate()
  }

  /// Sets the delay by a command that is still to be delivered.
  func set(frames: Int) -> Command {
    self.frames = frames
    return unsafe Command(
      target: UnsafeMutableRawPointer(state),
      frames: UInt32(frames),
      kind: .delay,
    )
  }
}
