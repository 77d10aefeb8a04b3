// SPDX-License-Identifier: MIT

import Glibc

/// What the bridge benchmark plays again and again: a second of a tone, and of impulses.
struct BridgeStimulus {
  /// The tone's frequency in Hz.
  static let toneHz = 997.0
  /// Impulses in a second.
  static let impulsesPerSecond = 4

  /// 997 Hz at −6 dBFS; a second holds a whole number of cycles, at any whole rate.
  let tone: [Float]
  /// Single samples, four times a second.
  let impulses: [Float]

  init(rateHz: Int) {
    tone = (0..<rateHz).map { frame in
      Float(0.501_187 * sin(2 * Double.pi * Self.toneHz * Double(frame) / Double(rateHz)))
    }
    let spacing = rateHz / Self.impulsesPerSecond
    var impulses = [Float](repeating: 0, count: rateHz)
    for number in 0..<Self.impulsesPerSecond { impulses[number * spacing] = 0.5 }
    self.impulses = impulses
  }

  /// Both, frame by frame.
  var interleaved: [Float] { zip(tone, impulses).flatMap { [$0, $1] } }
}
