// SPDX-License-Identifier: MIT

internal import Realtime
internal import Synchronization

/// A run of frames from one place of the file on: a ring, and what both threads know of it.
///
/// A seek makes a new stream, which the audio thread takes when it has faded the old one out.
@safe
final class PlaybackStream: @unchecked Sendable {
  /// What the audio thread sees of a stream.
  @safe
  struct Shared: ~Copyable {
    let reader: AudioRingReader
    /// Where the stream ends;  while that is not known.
    ///
    /// ot known. Counts only while it is not behind.
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

  /// Tells the audio thread where the stream ends; nil for "not known yet".
  func setEnd(_ frame: Int?) {
    unsafe shared.pointee.end.store(frame ?? .max, ordering: .releasing)
  }
}
