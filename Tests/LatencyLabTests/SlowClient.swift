// SPDX-License-Identifier: MIT

import CRealtime
import JACK

/// A client whose callback takes a known time, always or every so many cycles.
@safe
final class SlowClient {
  struct State {
    let output: AudioOutputPort
    let nanoseconds: UInt64
    let everyCycles: Int
    var cycle = 0
    var waste: UInt64 = 0
  }

  private let state: UnsafeMutablePointer<State>
  private var client: ActiveClient?
  let outputPort: String

  init(server: String, microseconds: UInt64, everyCycles: Int = 1) throws {
    let opened = try OpenedClient.open(name: "slow", server: server)
    let output: AudioOutputPort = try opened.connection.register("out")
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(
      to: State(output: output, nanoseconds: microseconds * 1000, everyCycles: everyCycles)
    )
    outputPort = "\(opened.connection.name):out"
    client = try unsafe opened.activate(process: slowClientProcess, context: state)
  }

  func close() { client.take()?.close() }

  deinit {
    close()
    unsafe state.deallocate()
  }
}

@c(latency_lab_test_slow) @_noLocks @_noAllocation
private func slowClientProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: SlowClient.State.self) { state, scope in
    unsafe state.pointee.cycle &+= 1
    guard unsafe state.pointee.cycle % state.pointee.everyCycles == 0 else { return }
    let end = unsafe realtime_now_nanoseconds() &+ state.pointee.nanoseconds
    while realtime_now_nanoseconds() < end { unsafe state.pointee.waste &+= 1 }
  }
}
