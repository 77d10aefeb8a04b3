// SPDX-License-Identifier: MIT

import AudioFiles
import JACK

/// What the callback of the noise client works on.
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
