// SPDX-License-Identifier: MIT

import JACK

/// What the audio thread of the music works on: one level on two ports, for ever.
///
/// A constant shows the gain of its path in every single sample.
struct ConstantVoice: BitwiseCopyable {
  var first: AudioOutputPort
  var second: AudioOutputPort
  var levelLinear: Float

  /// Writes one cycle. [audio-thread]
  @_noLocks @_noAllocation
  func run(_ scope: borrowing ProcessScope) {
    let one = unsafe scope.samples(of: first)
    let other = unsafe scope.samples(of: second)
    for index in 0..<one.count { unsafe one[index] = levelLinear }
    for index in 0..<other.count { unsafe other[index] = levelLinear }
  }

  /// Opens a client `NAME` with the ports `out_1` and `out_2`.
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
      ConstantVoice(
        first: try connection.register("out_1"),
        second: try connection.register("out_2"),
        levelLinear: levelLinear,
      )
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
