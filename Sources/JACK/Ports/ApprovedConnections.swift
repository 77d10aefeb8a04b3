// SPDX-License-Identifier: MIT

internal import Synchronization

/// The number of connections that an output may have; in a cycle with another number its owner writes silence.
///
/// JACK lets any client connect any ports, and reports it afterwards. The number of connections changes in the very
/// cycle in which audio begins to flow through a new one, so a stranger hears nothing. Memory of its own, which both
/// threads reach.
@safe
public struct ApprovedConnections: BitwiseCopyable {
  private struct Cell: ~Copyable {
    let port: WatchedPort
    let count = Atomic<Int>(0)
  }

  private let cell: UnsafeMutablePointer<Cell>

  /// Approves no connection of a port; ``free()`` releases the memory. [control-thread]
  public init(of port: WatchedPort) {
    unsafe cell = UnsafeMutablePointer<Cell>.allocate(capacity: 1)
    unsafe cell.initialize(to: Cell(port: port))
  }

  /// Releases the memory, which the audio thread no longer uses. [control-thread]
  public func free() {
    unsafe cell.deinitialize(count: 1)
    unsafe cell.deallocate()
  }

  /// Sets the number of connections that are approved, from 0. [control-thread]
  public func approve(_ count: Int) {
    unsafe cell.pointee.count.store(count, ordering: .releasing)
  }

  /// Whether the port has exactly the approved connections in this cycle. [audio-thread & active]
  @_noLocks @_noAllocation
  public func hold(in scope: borrowing ProcessScope) -> Bool {
    let approved = unsafe cell.pointee.count.load(ordering: .acquiring)
    return unsafe scope.connectionCount(of: cell.pointee.port) == approved
  }
}
