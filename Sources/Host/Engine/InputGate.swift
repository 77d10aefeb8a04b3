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
  /// The port's number and the limit in one word, so that no cycle sees one port with the limit of another.
  private let watched = Atomic<UInt64>(open)

  /// No limit at all.
  private static var open: UInt64 { @_noLocks @_noAllocation get { .max } }
  /// The bits of the word that hold the port's number; the limit has the others.
  private static var portBits: UInt64 { @_noLocks @_noAllocation get { 48 } }

  /// Opens the input only while the port has no more connections than `limit`. [control-thread]
  ///
  /// - Parameters:
  ///   - port: The port; its number is a small one, or an address.
  ///   - limit: A number of connections from 0; JACK has no port with 65,535, which would open the input for good.
  func watch(_ port: WatchedPort, limit: Int) {
    let limit = UInt64(max(0, min(limit, Int(UInt16.max))))
    let number = UInt64(port.bits) & (1 << Self.portBits - 1)
    watched.store(limit << Self.portBits | number, ordering: .releasing)
  }

  /// Opens the input whatever its port is connected to. [control-thread]
  func release() { watched.store(Self.open, ordering: .relaxed) }

  /// Whether the input is to be silent in this cycle. [audio-thread]
  @_noLocks @_noAllocation
  func isShut(in scope: borrowing ProcessScope) -> Bool {
    let word = watched.load(ordering: .acquiring)
    guard word != Self.open else { return false }
    let port = WatchedPort(bits: UInt(word & (1 << Self.portBits - 1)))
    return scope.connectionCount(of: port) > Int(word >> Self.portBits)
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
