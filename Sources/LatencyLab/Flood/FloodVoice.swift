// SPDX-License-Identifier: MIT

import JACK
import Synchronization

/// The audio thread of a MIDI controller that sends control changes without a pause.
struct FloodVoice: ~Copyable {
  private let output: MIDIOutputPort
  private let sampleRateHz: UInt32
  private let perSecond = Atomic<UInt32>(0)
  private let sentCount = Atomic<Int>(0)
  /// The part of a message that is due, in units of 1 over the sample rate.
  private var due: UInt32 = 0
  private var isSending = false

  /// Makes the value, which sends nothing. [control-thread]
  init(_ output: MIDIOutputPort, sampleRateHz: Int) {
    self.output = output
    self.sampleRateHz = UInt32(sampleRateHz)
  }

  /// Sends so many messages per second from now on; 0 for none. [any-thread]
  func send(perSecond: Int) { self.perSecond.store(UInt32(perSecond), ordering: .releasing) }

  /// The messages that were sent. [any-thread]
  var count: Int {
    @_noLocks @_noAllocation get { sentCount.load(ordering: .acquiring) }
  }

  /// Writes one cycle: each message has another value than that before, and the last of all 127. [audio-thread]
  @_noLocks @_noAllocation
  mutating func run(_ scope: borrowing ProcessScope) {
    let events = scope.events(of: output)
    let rate = perSecond.load(ordering: .acquiring)
    // The last value is one that the reader knows.
    if rate == 0, isSending { write(127, at: 0, events) }
    isSending = rate > 0
    for frame in 0..<scope.frames {
      due &+= rate
      guard due >= sampleRateHz else { continue }
      due &-= sampleRateHz
      write(UInt8(truncatingIfNeeded: count & 127), at: frame, events)
    }
  }

  @_noLocks @_noAllocation
  private func write(_ value: UInt8, at frame: UInt32, _ events: MIDIOutputEvents) {
    guard events.write(0xB0, 7, value, at: frame) else { return }
    sentCount.wrappingAdd(1, ordering: .releasing)
  }

  /// Opens a client with the port `NAME:out`. [control-thread]
  static func client(
    name: String,
    server: String?,
    sampleRateHz: Int,
  ) throws(LabError) -> LabClient<FloodVoice> {
    try unsafe LabClient(
      name: name,
      server: server,
      process: floodProcess,
    ) { connection throws(JACKError) in
      FloodVoice(try connection.register("out"), sampleRateHz: sampleRateHz)
    }
  }
}

/// The callback of the controller. [audio-thread]
@c(latency_lab_flood) @_noLocks @_noAllocation
func floodProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: FloodVoice.self) { voice, scope in
    unsafe voice.pointee.run(scope)
  }
}
