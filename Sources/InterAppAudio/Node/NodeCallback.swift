// SPDX-License-Identifier: MIT

/// What the callback of a node works on: its ports and its own state.
///
/// ```swift
/// @c(gain_node) @_noLocks @_noAllocation
/// func gainNode(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
///   unsafe ProcessScope.run(frames, context, as: NodeCallback<Gain>.self) { node, scope in
///     let input = unsafe node.pointee.io.input(0, scope)
///     let output = unsafe node.pointee.io.output(0, scope)
///     for index in 0..<output.count {
///       unsafe output[index] = input[index] * node.pointee.state.factor
///     }
///   }
/// }
/// ```
public struct NodeCallback<State: ~Copyable>: ~Copyable {
  /// The ports and the host's time.
  public var io: NodeIO
  /// The node's own state.
  public var state: State

  init(io: consuming NodeIO, state: consuming State) {
    self.io = io
    self.state = state
  }
}
