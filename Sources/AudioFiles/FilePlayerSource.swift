// SPDX-License-Identifier: MIT

/// The audio side of a `FilePlayer`: a pointer, free to copy, valid while the player lives.
public struct FilePlayerSource: BitwiseCopyable, Sendable {
  /// The channels that `read` delivers.
  public let channels: Int

  /// Gives the next frames, de-interleaved; silence where there are none.
  ///
  /// - Parameters:
  ///   - outputs: One pointer per channel, `channels` of them; a nil one is left out. All frames of
  ///     the others are written.
  ///   - frames: 0 or more.
  /// - Returns: The frames that came from the file; the rest is silence.
  /// - Complexity: O(frames × channels).
  /// [audio-thread] — never blocks, never allocates.
  @discardableResult
  @_noLocks @_noAllocation
  public func read(
    into outputs: UnsafePointer<UnsafeMutablePointer<Float>?>,
    frames: Int,
  ) -> Int { fatalError("unwritten") }
}
