// SPDX-License-Identifier: MIT

internal import JACK

/// What the process callback of a client that hears nodes works on.
@safe
struct ReturnProcess: BitwiseCopyable {
  let ports: UnsafeMutablePointer<AudioInputPort>
  let handover: CycleHandover

  /// Allocates what it points to; `free` releases it. [control-thread]
  init(_ ports: [AudioInputPort], _ handover: CycleHandover) {
    self.handover = handover
    unsafe self.ports = .allocate(capacity: max(1, ports.count))
    for (index, port) in ports.enumerated() {
      unsafe (self.ports + index).initialize(to: port)
    }
  }

  /// Releases it, once the callback runs no more. [control-thread]
  func free() { unsafe ports.deallocate() }
}

/// The process callback of a client that hears nodes: hands over what has come in.
///
/// [audio-thread & active] — never blocks, never allocates.
@c(multiroute_return_process) @_noLocks @_noAllocation
func returnProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: ReturnProcess.self) { state, scope in
    unsafe state.pointee.handover.give(state.pointee.ports, scope)
  }
}
