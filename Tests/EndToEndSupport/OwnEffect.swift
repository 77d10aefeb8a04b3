// SPDX-License-Identifier: MIT

import CRealtime
import InterAppAudio
import JACK
import Synchronization

/// An effect of this process that passes everything on, and can be made to take longer than a period.
@safe
final class OwnEffect {
  @safe
  struct State: BitwiseCopyable {
    /// How long each 16th callback takes, in nanoseconds: a real-time thread that never rests would starve
    /// others.
    let nanoseconds: UnsafeMutablePointer<Atomic<UInt64>>
    /// How many callbacks there have been.
    var count = 0
  }

  let node: PublishedNode<State>
  private let state: State

  /// Publishes it, as fast as others.
  ///
  /// - Parameters:
  ///   - name: The name of its client.
  ///   - server: The server's name.
  ///   - describe: Changes its description.
  /// - Throws: ``JACKError``.
  init(
    _ name: String,
    server: String,
    _ describe: (inout NodeDescription) -> Void = { _ in },
  ) throws {
    var description = NodeDescription(
      kind: .effect,
      subtype: "own ",
      manufacturer: "test",
      name: name,
      isSessionActive: true,
    )
    describe(&description)
    let state = unsafe State(nanoseconds: .allocate(capacity: 1))
    unsafe state.nanoseconds.initialize(to: Atomic(0))
    self.state = state
    node = try unsafe PublishedNode(
      description,
      server: server,
      process: ownEffect,
    ) { _, _ in state }
  }

  /// Sets how long some of its callbacks take from now on.
  func take(nanoseconds: UInt64) {
    unsafe state.nanoseconds.pointee.store(nanoseconds, ordering: .relaxed)
  }

  // The callback's memory is never freed: a few bytes, which the callback may still read.
  deinit { node.close() }
}

@c(multiroute_test_own_effect) @_noLocks @_noAllocation
private func ownEffect(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: NodeCallback<OwnEffect.State>.self) { node, scope in
    unsafe node.pointee.state.count &+= 1
    let isSlow = unsafe node.pointee.state.count & 15 == 0
    let nanoseconds = unsafe node.pointee.state.nanoseconds.pointee.load(ordering: .relaxed)
    let end = realtime_now_nanoseconds() &+ (isSlow ? nanoseconds : 0)
    for channel in 0..<2 {
      let input = unsafe node.pointee.io.input(channel, scope)
      let output = unsafe node.pointee.io.output(channel, scope)
      for index in 0..<output.count { unsafe output[index] = input[index] }
    }
    while realtime_now_nanoseconds() < end {}
  }
}
