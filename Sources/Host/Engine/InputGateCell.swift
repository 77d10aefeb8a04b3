// SPDX-License-Identifier: MIT

internal import JACK

/// An ``InputGate`` in memory of its own, which both threads reach.
@safe
struct InputGateCell: BitwiseCopyable {
  private let gate: UnsafeMutablePointer<InputGate>

  /// Allocates a gate that lets everything through; `free` releases it. [control-thread]
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
