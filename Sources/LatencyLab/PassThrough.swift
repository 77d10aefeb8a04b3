// SPDX-License-Identifier: MIT

import JACK

/// What the audio thread of a pass-through client needs.
struct PassThrough: BitwiseCopyable {
  var input: AudioInputPort
  var output: AudioOutputPort

  /// Opens a client with the ports `in` and `out`, which says that it delays nothing.
  static func client(
    name: String,
    server: String?,
  ) throws(LabError) -> LabClient<PassThrough> {
    try unsafe LabClient(
      name: name,
      server: server,
      process: passThroughProcess,
    ) { connection throws(JACKError) in
      let state = PassThrough(
        input: try connection.register("in"),
        output: try connection.register("out"),
      )
      try connection.setLatencyPaths([
        LatencyPath(input: state.input, output: state.output, frames: 0)
      ])
      return state
    }
  }

  /// Copies one cycle. [audio-thread]
  @_noLocks @_noAllocation
  func run(_ scope: borrowing ProcessScope) {
    let input = unsafe scope.samples(of: input)
    let output = unsafe scope.samples(of: output)
    for index in 0..<min(input.count, output.count) { unsafe output[index] = input[index] }
  }
}

/// The callback of a pass-through client.
@c(latency_lab_pass_through) @_noLocks @_noAllocation
func passThroughProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: PassThrough.self) { state, scope in
    unsafe state.pointee.run(scope)
  }
}
