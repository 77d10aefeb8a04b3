// SPDX-License-Identifier: MIT

import CMixKernels
import Synchronization

/// Counts the samples of one channel that were silenced or clamped.
///
/// Written by the audio thread, read by one other: [any-thread].
struct FaultCell: ~Copyable {
  private let silenced = Atomic<UInt64>(0)
  private let clamped = Atomic<UInt64>(0)

  /// Adds the samples of one block.
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  func note(silenced: Int, clamped: Int) {
    self.silenced.wrappingAdd(UInt64(silenced), ordering: .relaxed)
    self.clamped.wrappingAdd(UInt64(clamped), ordering: .relaxed)
  }

  /// The counts since the start.
  var counts: InputFaults {
    InputFaults(
      silencedSamples: silenced.load(ordering: .relaxed),
      clampedSamples: clamped.load(ordering: .relaxed),
    )
  }
}

/// The samples of a strip's input that were no sound, since the strip was made.
///
/// A plain value: [any-thread].
public struct InputFaults: Sendable, Equatable {
  /// The magnitude to which louder samples are clamped, linear: 24 dB over full scale.
  public static let loudestLinear: Float = 16
  /// The magnitude from which on a sample is silenced, linear: 60 dB over full scale.
  public static let faultyLinear: Float = 1000

  /// Samples that were replaced by silence: infinite, not a number, or at least ``faultyLinear``.
  public var silencedSamples: UInt64
  /// Samples that were clamped to ``loudestLinear``.
  public var clampedSamples: UInt64

  /// Makes the value; without arguments, of an input without faults.
  @_noLocks
  @_noAllocation
  public init(silencedSamples: UInt64 = 0, clampedSamples: UInt64 = 0) {
    self.silencedSamples = silencedSamples
    self.clampedSamples = clampedSamples
  }

  /// Adds the counts of another channel.
  public static func + (left: Self, right: Self) -> Self {
    Self(
      silencedSamples: left.silencedSamples &+ right.silencedSamples,
      clampedSamples: left.clampedSamples &+ right.clampedSamples,
    )
  }
}

extension InputFaults {
  /// Silences and clamps the samples of a block that are no sound, as the mix does with its inputs.
  ///
  /// - Parameters:
  ///   - samples: The block; changed in place.
  ///   - frames: Its length.
  /// - Returns: The number of samples that were changed.
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  public static func clean(_ samples: UnsafeMutablePointer<Float>, frames: Int) -> InputFaults {
    guard unsafe mix_needs_cleaning(mix_level(samples, frames)) else { return InputFaults() }
    let faults = unsafe mix_clean_input(samples, samples, frames)
    return InputFaults(
      silencedSamples: UInt64(faults.silenced),
      clampedSamples: UInt64(faults.clamped),
    )
  }
}
