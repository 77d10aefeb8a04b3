// SPDX-License-Identifier: MIT

import JACK

/// A client that passes audio on after a known number of whole frames.
@safe
final class ThroughClient {
  @safe
  struct State {
    let input: AudioInputPort
    let output: AudioOutputPort
    let ring: UnsafeMutablePointer<Float>
    let delayFrames: Int
    let gainLinear: Float
  }

  private let state: UnsafeMutablePointer<State>
  private var client: ActiveClient?
  let inputPort: String
  let outputPort: String

  init(
    server: String,
    name: String = "through",
    delayFrames: Int,
    gainLinear: Float = 1,
    reportedFrames: UInt32,
  ) throws {
    let opened = try OpenedClient.open(name: name, server: server)
    let ring = UnsafeMutablePointer<Float>.allocate(capacity: 1 << 16)
    unsafe ring.initialize(repeating: 0, count: 1 << 16)
    let input: AudioInputPort = try opened.connection.register("in")
    let output: AudioOutputPort = try opened.connection.register("out")
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(
      to: State(
        input: input,
        output: output,
        ring: ring,
        delayFrames: delayFrames,
        gainLinear: gainLinear
      )
    )
    inputPort = "\(opened.connection.name):in"
    outputPort = "\(opened.connection.name):out"
    let active = try unsafe opened.activate(process: throughClientProcess, context: state)
    try active.connection.setLatencyPaths([
      LatencyPath(input: input, output: output, frames: reportedFrames)
    ])
    client = consume active
  }

  func close() { client.take()?.close() }

  deinit {
    close()
    unsafe state.pointee.ring.deallocate()
    unsafe state.deallocate()
  }
}

@c(latency_lab_test_through) @_noLocks @_noAllocation
private func throughClientProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: ThroughClient.State.self) { state, scope in
    let input = unsafe scope.samples(of: state.pointee.input)
    let output = unsafe scope.samples(of: state.pointee.output)
    let ring = unsafe state.pointee.ring
    let start = Int(scope.frameTime)
    for index in 0..<min(input.count, output.count) {
      unsafe ring[(start &+ index) & 0xFFFF] = input[index]
      let place = unsafe (start &+ index &- state.pointee.delayFrames) & 0xFFFF
      unsafe output[index] = ring[place] * state.pointee.gainLinear
    }
  }
}
