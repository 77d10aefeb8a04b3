// SPDX-License-Identifier: MIT

internal import Realtime
internal import Synchronization

/// A run of frames from one place of the file on: a ring, and the state that both threads share.
///
/// A seek makes a new stream, which the audio thread takes when it has faded the old one out.
///
/// Its ``PlayerFeed`` uses it under a lock: [any-thread] except the audio thread.
@safe
final class PlaybackStream: @unchecked Sendable {
  /// The part of a stream that the audio thread reads.
  @safe
  struct Shared: ~Copyable {
    let reader: AudioRingReader
    /// The end of the stream; `Int.max` while it is unknown.
    ///
    /// It counts only while it is not behind the consumed frames.
    let end = Atomic(Int.max)
    /// Frames taken by the audio thread.
    let consumed = Atomic(0)
  }

  let shared: UnsafeMutablePointer<Shared>
  let writer: AudioRingWriter
  let capacityFrames: Int
  private let ring: AudioRing

  init(minimumFrames: Int, channels: Int) {
    let ring = AudioRing(minimumFrames: minimumFrames, channels: channels)
    writer = ring.writer
    capacityFrames = ring.capacityFrames
    unsafe shared = .allocate(capacity: 1)
    unsafe shared.initialize(to: Shared(reader: ring.reader))
    self.ring = ring
  }

  deinit {
    unsafe shared.deinitialize(count: 1)
    unsafe shared.deallocate()
  }

  /// Frames taken by the audio thread.
  var consumed: Int {
    unsafe shared.pointee.consumed.load(ordering: .acquiring)
  }

  /// Publishes the stream's end to the audio thread; nil while it is not known.
  func setEnd(_ frame: Int?) {
    unsafe shared.pointee.end.store(frame ?? .max, ordering: .releasing)
  }
}
