// SPDX-License-Identifier: MIT

internal import CJACK

/// A port of any client whose number of connections the audio thread can read.
///
/// A trivial value that the audio thread can keep in its state. A port that is gone has no connections.
public struct WatchedPort: BitwiseCopyable, Hashable, Sendable {
  /// libjack's number of the port.
  public let bits: UInt

  /// The port behind a number that ``bits`` gave. [any-thread]
  @_noLocks @_noAllocation
  public init(bits: UInt) { self.bits = bits }
}

extension ClientConnection {
  /// The port of this full name, to be watched by the audio thread.
  ///
  /// - Returns: Nil where the port does not exist, and under PipeWire, where counting takes a lock.
  /// - Throws: ``JACKError`` with `closed` or `serverGone`.
  ///
  /// [control-thread]
  public func watchedPort(named name: String) throws(JACKError) -> WatchedPort? {
    guard !JACKLibrary.isPipeWire else { return nil }
    return try unsafe withClient("jack_port_by_name", name) { client, _ in
      unsafe jack_port_by_name(client, name).map {
        WatchedPort(bits: UInt(bitPattern: $0))
      }
    }
  }
}

extension ProcessScope {
  /// The number of connections of a port in this cycle, exactly those through which audio flows in it.
  ///
  /// [audio-thread & active]
  @_noLocks @_noAllocation
  public func connectionCount(of port: WatchedPort) -> Int {
    guard let handle = unsafe OpaquePointer(bitPattern: port.bits) else { return 0 }
    return Int(unsafe jack_port_connected(handle))
  }
}
