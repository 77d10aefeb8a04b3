// SPDX-License-Identifier: MIT

internal import JACK
internal import Synchronization

/// Keeps an input of the mix silent in each cycle in which what feeds it is heard elsewhere too.
///
/// An adopted client's port is moved from the hardware to its strip by two changes of JACK's graph, which take
/// effect cycles apart. The gate watches the port's number of connections: while there are more than
/// `limit` the way past the strip is still there, and in the cycle in which it has gone the strip is heard.
/// So nothing sounds twice and no sample is missing, however long the server takes.
@safe
struct InputGate: ~Copyable {
  private let port = Atomic<UInt>(0)
  private let limit = Atomic<Int>(.max)

  /// Lets the input through only while the port has no more connections than this. [control-thread]
  func watch(_ port: WatchedPort, limit: Int) {
    self.limit.store(.max, ordering: .releasing)
    self.port.store(port.bits, ordering: .releasing)
    self.limit.store(limit, ordering: .releasing)
  }

  /// Lets the input through whatever its port is connected to. [control-thread]
  func release() { limit.store(.max, ordering: .releasing) }

  /// Whether the input is to be silent in this cycle. [audio-thread]
  @_noLocks @_noAllocation
  func isShut(in scope: borrowing ProcessScope) -> Bool {
    let limit = limit.load(ordering: .acquiring)
    guard limit != .max else { return false }
    let port = WatchedPort(bits: port.load(ordering: .acquiring))
    return scope.connectionCount(of: port) > limit
  }
}
