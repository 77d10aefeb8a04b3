// SPDX-License-Identifier: MIT

internal import Realtime
internal import Synchronization

extension FilePlayerSource {
  typealias StreamPointer = UnsafeMutablePointer<PlaybackStream.Shared>

  /// What the audio side of a player and its read-ahead side share.
  @safe
  struct State: ~Copyable {
    /// The stream to go over to; taken by the audio thread.
    let next: Atomic<StreamPointer?>
    /// The stream that the audio thread has done with; collected by the read-ahead side.
    ///
    /// While it is here, no further one is taken.
    let retired: Atomic<StreamPointer?>
    /// Where the audio thread has asked to go to, how often it has, and how much of that is done.
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
    /// Whether the stream is to begin at full level, as it follows on silence.
    var startsExactly = true
    /// Whether the silence now going on is counted as an underrun.
    var isStarved = false
  }
}
