// SPDX-License-Identifier: MIT

import AudioFiles
import JACK

/// The audio thread of a pass-through client.
struct PassThrough: BitwiseCopyable {
  var input: AudioInputPort
  var output: AudioOutputPort

  /// Opens a client with the ports `in` and `out` and a stated latency of 0. [control-thread]
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

/// The callback of a pass-through client. [audio-thread]
@c(latency_lab_pass_through) @_noLocks @_noAllocation
func passThroughProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: PassThrough.self) { state, scope in
    unsafe state.pointee.run(scope)
  }
}

/// A bare JACK client that hands one channel on: the least that a node can be.
///
/// Runs on the task of its command: [control-thread].
public enum PassThroughClient {
  /// Runs the client until the task is cancelled.
  ///
  /// - Parameters:
  ///   - name: The client's name; its ports are `in` and `out`.
  ///   - server: The server's name; nil takes the default one.
  /// - Throws: ``LabError`` `jack` or `cancelled`.
  public static func run(name: String, server: String?) async throws(LabError) {
    let client = try PassThrough.client(name: name, server: server)
    defer { client.close() }
    while true { try await LabError.sleep(.seconds(60)) }
  }
}

/// State of the callback of a client that has nothing to do.
struct EmptyClientState: BitwiseCopyable {}

/// The callback of a client that has nothing to do. [audio-thread]
@c(latency_lab_empty_client) @_noLocks @_noAllocation
func emptyClientProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: EmptyClientState.self) { _, _ in }
}

/// State of the noise client's callback.
@safe
struct NoiseClient {
  let source: ToneSource
  let output: AudioOutputPort
  var pointer: UnsafeMutablePointer<Float>?
}

/// The callback of the noise client: pink noise on one port. [audio-thread]
@c(latency_lab_noise) @_noLocks @_noAllocation
func noiseProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: NoiseClient.self) { state, scope in
    unsafe state.pointee.pointer = scope.samples(of: state.pointee.output).baseAddress
    unsafe state.pointee.source.read(
      into: &state.pointee.pointer,
      channels: 1,
      frames: Int(frames),
    )
  }
}
