// SPDX-License-Identifier: MIT

import JACK

/// What the audio thread of the music works on: one level, for ever.
///
/// A constant shows the gain of its path in every single sample.
struct ConstantVoice: BitwiseCopyable {
  var output: AudioOutputPort
  var levelLinear: Float

  /// Writes one cycle. [audio-thread]
  @_noLocks @_noAllocation
  func run(_ scope: borrowing ProcessScope) {
    let samples = unsafe scope.samples(of: output)
    for index in 0..<samples.count { unsafe samples[index] = levelLinear }
  }

  /// Opens a client with the port `NAME:out`.
  static func client(
    name: String,
    server: String?,
    levelLinear: Float,
  ) throws(LabError) -> LabClient<ConstantVoice> {
    try unsafe LabClient(
      name: name,
      server: server,
      process: constantProcess,
    ) { connection throws(JACKError) in
      ConstantVoice(output: try connection.register("out"), levelLinear: levelLinear)
    }
  }
}

/// The callback of the music.
@c(latency_lab_constant) @_noLocks @_noAllocation
func constantProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: ConstantVoice.self) { voice, scope in
    unsafe voice.pointee.run(scope)
  }
}
