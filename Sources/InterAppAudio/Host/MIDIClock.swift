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
    // One that was due within the last frame of the cycle before comes first in this one.
    let earliest = first - 1 / framesPerPulse
    var pulse = Int64(earliest)
    if Double(pulse) < earliest { pulse += 1 }
    if pulse <= lastPulse, lastPulse - pulse < 2 { pulse = lastPulse + 1 }
    while true {
      let offset = Self.frame(notBefore: (Double(pulse) - first) * framesPerPulse)
      guard offset < scope.frames else { return }
      _ = write(0xf8, output, at: offset)
      lastPulse = pulse
      pulse += 1
    }
  }

  /// The first frame not before a position, where a thousandth of a frame is a rounding error.
  @_noLocks @_noAllocation
  private static func frame(notBefore position: Double) -> UInt32 {
    guard position > 0 else { return 0 }
    let whole = UInt32(position)
    return position - Double(whole) > 0.001 ? whole + 1 : whole
  }

  @_noLocks @_noAllocation
  private func write(_ status: UInt8, _ output: MIDIOutputEvents, at offset: UInt32) -> Bool {
    var byte = status
    return unsafe withUnsafePointer(to: &byte) { pointer in
      unsafe output.write(UnsafeBufferPointer(start: pointer, count: 1), at: offset)
    }
  }
}
