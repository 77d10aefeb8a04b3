// SPDX-License-Identifier: MIT

/// One thread that reads ahead for any number of file players, the emptiest first.
///
/// A disk that hangs stops all players of one pool: give slow places a pool of their own.
public final class ReadAheadPool: Sendable {
  /// Starts the thread; it ends with the pool.
  ///
  /// - Parameter name: The thread's name as tools show it, up to 15 bytes.
  public init(name: String = "read-ahead") { fatalError("unwritten") }

  /// A pool without a thread: players read only when opened and in `prefetch`, for rendering that
  /// is the same at every run.
  public static func manual() -> ReadAheadPool { fatalError("unwritten") }
}
