// SPDX-License-Identifier: MIT

/// What the callback of a node works on: its ports and its own state.
///
/// ```swift
/// @c(gain_node) @_noLocks @_noAllocation
/// func gainNode(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
///   unsafe ProcessScope.run(frames, context, as: NodeCallback<Gain>.self) { node, scope in
///     let input = unsafe node.pointee.io.pointee.input(0, scope)
///     let output = unsafe node.pointee.io.pointee.output(0, scope)
///     for index in 0..<output.count {
///       unsafe output[index] = input[index] * node.pointee.state.pointee.factor
///     }
///   }
/// }
/// ```
@safe
public struct NodeCallback<State: ~Copyable>: BitwiseCopyable {
  /// The ports and the host's time.
  public let io: UnsafeMutablePointer<NodeIO>
  /// The node's own state.
  public let state: UnsafeMutablePointer<State>

  /// Allocates both; `free` releases them. [control-thread]
  init(io: consuming NodeIO, state: consuming State) {
    unsafe self.io = .allocate(capacity: 1)
    unsafe self.io.initialize(to: io)
    unsafe self.state = .allocate(capacity: 1)
    unsafe self.state.initialize(to: state)
  }

  /// Releases what no callback uses any more. [control-thread]
  func free() {
    unsafe io.deinitialize(count: 1)
    unsafe io.deallocate()
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }
}
