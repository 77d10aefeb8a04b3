// SPDX-License-Identifier: MIT

/// The audio side of a `ToneGenerator`: a pointer, free to copy, valid while the generator lives.
public struct ToneSource: BitwiseCopyable, Sendable {
  /// Writes the next frames, the same to every channel.
  ///
  /// - Parameters:
  ///   - outputs: One pointer per channel; a nil one is left out.
  ///   - channels: The number of pointers.
  ///   - frames: 0 or more.
  /// - Complexity: O(frames × channels).
  /// [audio-thread] — never blocks, never allocates.
  @_noLocks @_noAllocation
  public func read(
    into outputs: UnsafePointer<UnsafeMutablePointer<Float>?>,
    channels: Int,
    frames: Int,
  ) { fatalError("unwritten") }
}
