// SPDX-License-Identifier: MIT

/// The audio side of a `FileRecorder`: a pointer, free to copy, valid while the recorder lives.
public struct RecorderTap: BitwiseCopyable, Sendable {
  /// The channels that `write` takes.
  public let channels: Int

  /// Takes frames for the file.
  ///
  /// - Parameters:
  ///   - inputs: One pointer per channel, `channels` of them; a nil one is silence.
  ///   - frames: 0 or more.
  /// - Complexity: O(frames × channels).
  /// [audio-thread] — never blocks, never allocates.
  @_noLocks @_noAllocation
  public func write(_ inputs: UnsafePointer<UnsafePointer<Float>?>, frames: Int) {
    fatalError("unwritten")
  }
}
