// SPDX-License-Identifier: MIT

import JACK

/// A JACK client that does nothing but write silence: what having ports costs.
public enum EmptyClient {
  /// Runs the client until the task is cancelled.
  ///
  /// - Parameters:
  ///   - name: The client's name.
  ///   - server: The server's name; nil takes the default one.
  ///   - inputs: The number of input ports.
  ///   - outputs: The number of output ports, up to 64.
  /// - Throws: ``LabError`` `jack` or `cancelled`.
  public static func run(
    name: String,
    server: String?,
    inputs: Int,
    outputs: Int,
  ) async throws(LabError) {
    let client = try unsafe LabClient<EmptyClientState>(
      name: name,
      server: server,
      process: emptyClientProcess
    ) { connection throws(JACKError) in
      for index in 0..<inputs {
        let _: AudioInputPort = try connection.register("in_\(index + 1)")
      }
      var state = EmptyClientState()
      for index in 0..<min(outputs, EmptyClientState.maximumOutputs) {
        state.outputs[index] = try connection.register("out_\(index + 1)")
        state.outputCount += 1
      }
      return state
    }
    defer { client.close() }
    while true { try await LabError.sleep(.seconds(60)) }
  }
}

/// What the callback of the empty client works on.
struct EmptyClientState: ~Copyable {
  static let maximumOutputs = 64
  var outputs = InlineArray<64, AudioOutputPort?>(repeating: nil)
  var outputCount = 0
}

/// The callback of the empty client. [audio-thread]
@c(latency_lab_empty_client) @_noLocks @_noAllocation
func emptyClientProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: EmptyClientState.self) { state, scope in
    for index in 0..<(unsafe state.pointee.outputCount) {
      guard let port = unsafe state.pointee.outputs[index] else { continue }
      let samples = unsafe scope.samples(of: port)
      for frame in 0..<samples.count { unsafe samples[frame] = 0 }
    }
  }
}
