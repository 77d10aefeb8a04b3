// SPDX-License-Identifier: MIT

/// A way to change a running server's buffer size that is not JACK's own.
public protocol BufferSizing: Sendable {
  /// Asks for a size; the server may take it later.
  ///
  /// - Parameter bufferFrames: The size in frames at the server's rate.
  /// - Throws: Where the server cannot be asked.
  func set(bufferFrames: Int) async throws

  /// Leaves the server as it was found.
  func giveBack() async
}
