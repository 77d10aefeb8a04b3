// SPDX-License-Identifier: MIT

import Glibc

/// What the bridge benchmark plays again and again: a second of a tone, and of impulses.
struct BridgeStimulus {
  /// The tone's frequency in Hz.
  static let toneHz = 997.0
  /// 997 Hz at −6 dBFS; a second holds a whole number of cycles, at any whole rate.
  let tone: [Float]
  /// One sample a second: they are equally far apart at any whole rate.
  let impulses: [Float]

  init(rateHz: Int) {
    tone = (0..<rateHz).map { frame in
      Float(0.501_187 * sin(2 * Double.pi * Self.toneHz * Double(frame) / Double(rateHz)))
    }
    var impulses = [Float](repeating: 0, count: rateHz)
    impulses[0] = 0.5
    self.impulses = impulses
  }

  /// Both, frame by frame.
  var interleaved: [Float] { zip(tone, impulses).flatMap { [$0, $1] } }
}
