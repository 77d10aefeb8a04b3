// SPDX-License-Identifier: MIT

internal import CRealtime
internal import Realtime
internal import Synchronization

/// The audio side of a `FileRecorder`: a pointer, free to copy, valid while the recorder lives.
@safe
public struct RecorderTap: BitwiseCopyable, @unchecked Sendable {
  /// The state that the audio side and the writer thread share.
  @safe
  struct State: ~Copyable {
    /// Counts the rounds of the writer thread; the first word, on which an audio thread that may wait does.
    let rounds = Atomic<UInt32>(0)
    /// How often the audio thread has waited since the writer thread looked.
    let waits = Atomic<UInt32>(0)
    let ring: AudioRingWriter
    /// The frames for which the empty ring has room.
    let capacityFrames: Int
    let isPaused = Atomic(false)
    let isFinished = Atomic(false)
    /// Frames for which there was no room.
    let lostFrames = Atomic(0)
    /// Lost frames that are still to be made up for with silence.
    ///
    /// The audio thread's own.
    var gapFrames = 0

    /// Makes the state of a recorder that has taken nothing. [any-thread]
    init(ring: AudioRingWriter, capacityFrames: Int) {
      self.ring = ring
      self.capacityFrames = capacityFrames
    }
  }

  /// The channels that `write` takes.
  public let channels: Int

  let state: UnsafeMutablePointer<State>

  /// Whether frames are taken now: neither paused nor finished.
  ///
  /// [audio-thread] — never blocks, never allocates.
  public var isTaking: Bool {
    @_noLocks @_noAllocation get {
      unsafe !state.pointee.isFinished.load(ordering: .relaxed)
        && !state.pointee.isPaused.load(ordering: .relaxed)
    }
  }

  /// Takes frames for the file.
  ///
  /// - Parameters:
  ///   - inputs: One pointer per channel, `channels` of them; a nil one is silence.
  ///   - frames: 0 or more.
  ///   - deadlineNanoseconds: The time on CLOCK_MONOTONIC until which the disk is waited for, where a cycle may take as
  ///     long as it needs; 0 to wait never.
  /// - Complexity: O(frames × channels).
  /// [audio-thread] — blocks until the deadline at most, never allocates.
  @_noLocks @_noAllocation
  public func write(
    _ inputs: UnsafePointer<UnsafePointer<Float>?>,
    frames: Int,
    until deadlineNanoseconds: UInt64 = 0,
  ) {
    guard isTaking else { return }
    if deadlineNanoseconds > 0 { awaitRoom(frames, until: deadlineNanoseconds) }
    // At most four cycles' worth at once, so that making up for a gap stays cheap.
    unsafe state.pointee.gapFrames -= writeSilence(
      frames: min(state.pointee.gapFrames, 4 * frames)
    )
    let hasGap = unsafe state.pointee.gapFrames > 0
    if unsafe hasGap || !state.pointee.ring.writePlanar(inputs, frames: frames) {
      unsafe state.pointee.gapFrames += frames
      unsafe state.pointee.lostFrames.wrappingAdd(frames, ordering: .relaxed)
    }
  }

  /// Waits until the disk has taken enough.
  @_noLocks @_noAllocation
  private func awaitRoom(_ frames: Int, until deadlineNanoseconds: UInt64) {
    guard unsafe frames <= state.pointee.capacityFrames else { return }
    while true {
      let round = unsafe state.pointee.rounds.load(ordering: .acquiring)
      guard unsafe state.pointee.ring.writableFrames < frames,
        realtime_now_nanoseconds() < deadlineNanoseconds
      else { return }
      unsafe state.pointee.waits.wrappingAdd(1, ordering: .relaxed)
      unsafe realtime_wait_word(UnsafeRawPointer(state), round, deadlineNanoseconds)
    }
  }

  /// Writes silence as far as there is room.
  ///
  /// - Returns: The frames written.
  @_noLocks @_noAllocation
  private func writeSilence(frames: Int) -> Int {
    guard frames > 0 else { return 0 }
    let ring = unsafe state.pointee.ring
    let region = unsafe ring.regions(maximumFrames: frames)
    for index in unsafe 0..<region.firstFrames * channels { unsafe region.first[index] = 0 }
    for index in unsafe 0..<region.secondFrames * channels { unsafe region.second[index] = 0 }
    unsafe ring.commit(frames: region.frames)
    return unsafe region.frames
  }
}
