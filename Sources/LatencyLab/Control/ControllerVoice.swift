// SPDX-License-Identifier: MIT

import JACK
import Synchronization

/// The audio thread of a MIDI controller, which sends one control change at a time.
struct ControllerVoice: ~Copyable {
  private let output: MIDIOutputPort
  /// The change that waits: its number, value and share of the period, a byte each; nil is 0.
  private let waiting = Atomic<UInt32>(0)
  /// The frame of the last message; negative before it is sent.
  private let sentFrame = Atomic<Int64>(-1)

  /// Makes the value. [control-thread]
  init(_ output: MIDIOutputPort) { self.output = output }

  /// Sends a control change on channel 1 in the next cycle.
  ///
  /// - Parameters:
  ///   - number: The number of the control, at least 1.
  ///   - value: Its value.
  ///   - share: The frame within the period, in 256ths of it.
  ///
  /// [control-thread]
  func send(_ number: UInt8, _ value: UInt8, atShare share: UInt8) {
    sentFrame.store(-1, ordering: .relaxed)
    waiting.store(
      UInt32(number) << 16 | UInt32(value) << 8 | UInt32(share),
      ordering: .releasing
    )
  }

  /// The frame of the last message, in frame times of the server; nil before it is sent. [any-thread]
  var frame: UInt32? { UInt32(exactly: sentFrame.load(ordering: .acquiring)) }

  /// Writes one cycle. [audio-thread]
  @_noLocks @_noAllocation
  func run(_ scope: borrowing ProcessScope) {
    let events = scope.events(of: output)
    let change = waiting.exchange(0, ordering: .acquiringAndReleasing)
    guard change != 0 else { return }
    let offset = (change & 0xFF) &* scope.frames / 256
    let number = UInt8(truncatingIfNeeded: change >> 16)
    let value = UInt8(truncatingIfNeeded: change >> 8)
    guard events.write(0xB0, number, value, at: offset) else { return }
    sentFrame.store(Int64(scope.frameTime &+ offset), ordering: .releasing)
  }

  /// Opens a client with the port `NAME:out`. [control-thread]
  static func client(name: String, server: String?) throws(LabError) -> LabClient<ControllerVoice> {
    try unsafe LabClient(
      name: name,
      server: server,
      process: controllerProcess,
    ) { connection throws(JACKError) in
      ControllerVoice(try connection.register("out"))
    }
  }
}

/// The callback of the controller. [audio-thread]
@c(latency_lab_controller) @_noLocks @_noAllocation
func controllerProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: ControllerVoice.self) { voice, scope in
    unsafe voice.pointee.run(scope)
  }
}
