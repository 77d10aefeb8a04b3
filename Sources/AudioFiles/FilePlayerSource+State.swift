// SPDX-License-Identifier: MIT

import Realtime
import Synchronization

extension FilePlayerSource {
  typealias StreamPointer = UnsafeMutablePointer<PlaybackStream.Shared>

  /// The state that the audio side of a player and its read-ahead side share.
  @safe
  struct State: ~Copyable {
    /// Counts the rounds of the read-ahead side; the first word, on which an audio thread that may wait does.
    let rounds = Atomic<UInt32>(0)
    /// How often the audio thread has waited since the read-ahead side looked.
    let waits = Atomic<UInt32>(0)
    /// The stream to go over to; taken by the audio thread.
    let next: Atomic<StreamPointer?>
    /// The stream that the audio thread has done with; collected by the read-ahead side.
    ///
    /// While it is here, no further one is taken.
    let retired: Atomic<StreamPointer?>
    /// The frame that the audio thread asked for, the number of its requests, and the number of those
    /// done.
    let wantedFrame = Atomic(0)
    let seeksAsked = Atomic<UInt32>(0)
    let seeksDone = Atomic<UInt32>(0)
    let isPlaying: Atomic<Bool>
    let underruns = Atomic(0)
    let silentFrames = Atomic(0)
    /// Length of a fade, 1 or more.
    let fadeFrames: Atomic<Int>
    /// Touched by the audio thread only.
    var rt: RT

    /// Makes the state of a player. [any-thread]
    init(stream: StreamPointer, isPlaying: Bool, fadeFrames: Int) {
      unsafe next = Atomic(nil)
      unsafe retired = Atomic(nil)
      self.isPlaying = Atomic(isPlaying)
      self.fadeFrames = Atomic(fadeFrames)
      unsafe rt = unsafe RT(stream: stream)
    }
  }

  /// The audio thread's own part of the state.
  @unsafe
  struct RT {
    var stream: StreamPointer
    /// Taken, and waiting for `stream` to be faded out.
    var upcoming: StreamPointer?
    /// Steps of the fade: 0 is silence, `fadeFrames` is the file's own level.
    var level = 0
    /// Whether the stream begins at full level, because it follows silence.
    var startsExactly = true
    /// Whether the silence now going on is counted as an underrun.
    var isStarved = false
  }
}

/// Going to another place of the file from the audio thread.
extension FilePlayerSource {
  /// Seeks to a frame of the file; do not read until ``isReady()`` is true.
  ///
  /// - Parameter frame: 0…length; values outside are clamped.
  /// [audio-thread] — never blocks, never allocates.
  @_noLocks @_noAllocation
  public func seek(toFrame frame: Int) {
    // The new frames are heard from their first one on, and no old ones.
    unsafe state.pointee.rt.level = 0
    unsafe state.pointee.wantedFrame.store(frame, ordering: .relaxed)
    unsafe state.pointee.seeksAsked.wrappingAdd(1, ordering: .releasing)
  }

  /// Whether the next frames belong to the last `seek` of the audio thread.
  ///
  /// [audio-thread] — never blocks, never allocates.
  @_noLocks @_noAllocation
  public func isReady() -> Bool {
    let asked = unsafe state.pointee.seeksAsked.load(ordering: .relaxed)
    guard unsafe state.pointee.seeksDone.load(ordering: .acquiring) == asked else { return false }
    takeUpcoming()
    // An earlier request may still be pending.
    guard unsafe state.pointee.next.load(ordering: .relaxed) != nil else { return true }
    if let upcoming = unsafe state.pointee.rt.upcoming,
      unsafe state.pointee.retired.load(ordering: .acquiring) == nil
    {
      unsafe state.pointee.retired.store(state.pointee.rt.stream, ordering: .releasing)
      unsafe state.pointee.rt.stream = upcoming
      unsafe state.pointee.rt.upcoming = nil
    }
    return false
  }
}
