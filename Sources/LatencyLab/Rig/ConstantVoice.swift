// SPDX-License-Identifier: MIT

import JACK
import Synchronization

/// The audio thread of a client that plays one constant level on one or two outputs.
///
/// A constant shows the gain of its path in every single sample.
struct ConstantVoice: ~Copyable {
  private let output: AudioOutputPort
  private let second: AudioOutputPort?
  private let levelLinear: Float
  private let isMuted = Atomic<Bool>(false)

  /// Makes the value. [control-thread]
  init(_ output: AudioOutputPort, _ second: AudioOutputPort? = nil, levelLinear: Float) {
    self.output = output
    self.second = second
    self.levelLinear = levelLinear
  }

  /// Falls silent with the next cycle, or is heard again. [any-thread]
  func mute(_ isMuted: Bool) { self.isMuted.store(isMuted, ordering: .releasing) }

  /// Writes one cycle. [audio-thread]
  @_noLocks @_noAllocation
  func run(_ scope: borrowing ProcessScope) {
    unsafe fill(scope.samples(of: output))
    if let second { unsafe fill(scope.samples(of: second)) }
  }

  @_noLocks @_noAllocation
  private func fill(_ samples: UnsafeMutableBufferPointer<Float>) {
    let level = isMuted.load(ordering: .acquiring) ? 0 : levelLinear
    for index in 0..<samples.count { unsafe samples[index] = level }
  }

  /// Opens a client with the port `NAME:out`, or with `NAME:out_1` and `NAME:out_2`. [control-thread]
  static func client(
    name: String,
    server: String?,
    outputs: Int = 1,
    levelLinear: Float,
  ) throws(LabError) -> LabClient<ConstantVoice> {
    try unsafe LabClient(
      name: name,
      server: server,
      process: constantProcess,
    ) { connection throws(JACKError) in
      ConstantVoice(
        try connection.register(outputs == 1 ? "out" : "out_1"),
        outputs == 1 ? nil : try connection.register("out_2"),
        levelLinear: levelLinear,
      )
    }
  }
}

/// The callback of the music. [audio-thread]
@c(latency_lab_constant) @_noLocks @_noAllocation
func constantProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: ConstantVoice.self) { voice, scope in
    unsafe voice.pointee.run(scope)
  }
}
