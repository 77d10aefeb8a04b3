// SPDX-License-Identifier: MIT

internal import JACK

/// MIDI clock from JACK's transport: 24 pulses a quarter note, start, continue and stop.
///
/// The pulses are at multiples of 1/24 beat of the musical time, at the first frame not before them.
struct MIDIClock: BitwiseCopyable {
  private let port: MIDIOutputPort
  private var wasRolling = false
  private var lastPulse: Int64 = -1

  init(port: MIDIOutputPort) { self.port = port }

  /// Writes the pulses of this cycle. [audio-thread]
  @_noLocks @_noAllocation
  mutating func run(_ scope: borrowing ProcessScope) {
    let output = scope.events(of: port)
    let transport = scope.transport
    var time = HostTime()
    if let musical = transport.position.barBeatTick {
      time.take(musical, sampleRateHz: Double(transport.position.sampleRateHz))
    }
    let isRolling = transport.state == .rolling && time.hasMusicalTime
    if wasRolling, !isRolling { _ = write(0xfc, output, at: 0) }
    if isRolling, !wasRolling {
      _ = write(transport.position.frame == 0 ? 0xfa : 0xfb, output, at: 0)
      lastPulse = -1
    }
    wasRolling = isRolling
    guard isRolling else { return }
    let framesPerPulse =
      Double(transport.position.sampleRateHz) * 60 / (time.tempo * 24)
    let first = time.beat * 24
    var pulse = Int64(first)
    if Double(pulse) < first { pulse += 1 }
    if pulse <= lastPulse, lastPulse - pulse < 2 { pulse = lastPulse + 1 }
    while true {
      let position = max(0, (Double(pulse) - first) * framesPerPulse)
      guard position < Double(scope.frames) else { return }
      _ = write(0xf8, output, at: UInt32(position))
      lastPulse = pulse
      pulse += 1
    }
  }

  @_noLocks @_noAllocation
  private func write(_ status: UInt8, _ output: MIDIOutputEvents, at offset: UInt32) -> Bool {
    var byte = status
    return unsafe withUnsafePointer(to: &byte) { pointer in
      unsafe output.write(UnsafeBufferPointer(start: pointer, count: 1), at: offset)
    }
  }
}
