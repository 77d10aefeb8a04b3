// SPDX-License-Identifier: MIT

internal import JACK
internal import Synchronization

/// Keeps an input of the mix silent in each cycle in which its source also has a direct connection.
///
/// An adopted client's port is moved from the hardware to its strip by two changes of JACK's graph,
/// which take effect cycles apart. The gate watches the port's number of connections: with more
/// than `limit` the direct connection is still there. In the first cycle without it the strip is
/// heard. So the sound is never doubled and no sample is missing, however long the server takes.
@safe
struct InputGate: ~Copyable {
  private let port = Atomic<UInt>(0)
  private let limit = Atomic<Int>(.max)

  /// Opens the input only while the port has no more connections than `limit`. [control-thread]
  func watch(_ port: WatchedPort, limit: Int) {
    self.limit.store(.max, ordering: .releasing)
    self.port.store(port.bits, ordering: .releasing)
    self.limit.store(limit, ordering: .releasing)
  }

  /// Opens the input whatever its port is connected to. [control-thread]
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

/// An ``InputGate`` in memory of its own, which both threads reach.
@safe
struct InputGateCell: BitwiseCopyable {
  private let gate: UnsafeMutablePointer<InputGate>

  /// Allocates an open gate; `free` releases it. [control-thread]
  init() {
    unsafe gate = UnsafeMutablePointer<InputGate>.allocate(capacity: 1)
    unsafe gate.initialize(to: InputGate())
  }

  /// Releases a gate that the audio thread no longer uses. [control-thread]
  func free() {
    unsafe gate.deinitialize(count: 1)
    unsafe gate.deallocate()
  }

  /// See ``InputGate/watch(_:limit:)``. [control-thread]
  func watch(_ port: WatchedPort, limit: Int) { unsafe gate.pointee.watch(port, limit: limit) }

  /// See ``InputGate/release()``. [control-thread]
  func release() { unsafe gate.pointee.release() }

  /// See ``InputGate/isShut(in:)``. [audio-thread]
  @_noLocks @_noAllocation
  func isShut(in scope: borrowing ProcessScope) -> Bool {
    unsafe gate.pointee.isShut(in: scope)
  }
}
