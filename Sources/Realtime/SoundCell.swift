// SPDX-License-Identifier: MIT

public import Synchronization

/// Whether a channel has a signal: noted by the audio thread, taken by one other at any time.
///
/// Each question has an answer of its own, so that two that ask do not take each other's answers.
///
/// Written by the audio thread, read by one other: [any-thread].
public struct SoundCell: ~Copyable {
  /// The peak above which a channel sounds: −80 dB, so that the dither of a silent program does not count.
  public static let soundPeak: Float = 1e-4

  @usableFromInline let hadSignal = Atomic<Bool>(false)
  @usableFromInline let hasSounded = Atomic<Bool>(false)

  /// Makes a cell that has noted nothing.
  @inlinable
  public init() {}

  /// Notes the highest magnitude of a block, linear; values that are not finite are left out.
  ///
  /// [audio-thread] never waits, never allocates.
  @inlinable
  @_noLocks
  @_noAllocation
  public func note(peak: Float) {
    guard peak.isFinite, peak > 0 else { return }
    hadSignal.store(true, ordering: .relaxed)
    if peak > Self.soundPeak { hasSounded.store(true, ordering: .relaxed) }
  }

  /// Whether there was any signal but exact silence since this was asked last.
  ///
  /// [control-thread]
  @inlinable
  public func takeSignal() -> Bool { hadSignal.exchange(false, ordering: .relaxed) }

  /// Whether there was a peak above ``soundPeak`` since this was asked last.
  ///
  /// [control-thread]
  @inlinable
  public func takeSounded() -> Bool { hasSounded.exchange(false, ordering: .relaxed) }
}
