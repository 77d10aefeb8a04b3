// SPDX-License-Identifier: MIT

import AudioFiles
import Glibc
import Testing

@Suite("Test tones")
struct ToneTests {
  private func make(
    _ waveform: ToneGenerator.Waveform,
    _ frequencyHz: Double = 997,
    _ levelDB: Double = -6,
    rate: Double = 48_000,
  ) throws -> ToneGenerator {
    try ToneGenerator(
      settings: ToneGenerator.Settings(
        waveform: waveform,
        frequencyHz: frequencyHz,
        levelDB: levelDB,
      ),
      sampleRateHz: rate,
    )
  }

  @Test("a sine is a sine from phase 0", arguments: [20.0, 440, 997, 15_000, 23_999])
  func sine(frequencyHz: Double) throws {
    let tone = try make(.sine, frequencyHz)
    let heard = AudioThread.pull(tone.source, channels: 2, frames: 100_000, cycles: [64, 1, 1000])
    let peak = pow(10, -6.0 / 20)
    for frame in stride(from: 0, to: 100_000, by: 7) {
      let ideal = peak * sin(2 * .pi * frequencyHz * Double(frame) / 48_000)
      #expect(abs(Double(heard[2 * frame]) - ideal) < 1e-7)
      #expect(heard[2 * frame] == heard[2 * frame + 1])
    }
    let left = stride(from: 0, to: heard.count, by: 2).map { heard[$0] }
    #expect(Signals.sinadDB(left[...], frequencyHz: frequencyHz, sampleRateHz: 48_000) > 130)
  }

  @Test("changes of frequency and level ramp, and land")
  func ramps() throws {
    let tone = try make(.sine, 1000, 0)
    var heard = AudioThread.pull(tone.source, frames: 1000, cycles: [64])
    try tone.setFrequency(100, rampFrames: 500)
    try tone.setLevel(-20, rampFrames: 500)
    heard += AudioThread.pull(tone.source, frames: 1000, cycles: [64])
    // The steepest a sine of 1 kHz gets.
    let steepest = Float(2 * Double.pi * 1000 / 48_000)
    #expect(zip(heard, heard.dropFirst()).allSatisfy { abs($0 - $1) <= steepest * 1.01 })
    let settled = AudioThread.pull(tone.source, frames: 48_000, cycles: [64])
    #expect(Signals.sinadDB(settled[...], frequencyHz: 100, sampleRateHz: 48_000) > 120)
    let peak = settled.map(abs).max() ?? 0
    #expect(abs(peak - 0.1) < 3e-6)

    try tone.setLevel(-.infinity, rampFrames: 100)
    let silent = AudioThread.pull(tone.source, frames: 1000, cycles: [64])
    #expect(silent.suffix(900).allSatisfy { $0 == 0 })
    #expect(silent.first != 0)
  }

  @Test("impulses are single samples, evenly spaced, from frame 0", arguments: [1.0, 10, 7])
  func impulses(frequencyHz: Double) throws {
    let tone = try make(.impulses, frequencyHz, 0)
    let heard = AudioThread.pull(tone.source, frames: 480_000, cycles: [64, 33])
    let places = heard.indices.filter { heard[$0] != 0 }
    #expect(places.allSatisfy { heard[$0] == 1 })
    #expect(places.count == Int(frequencyHz * 10))
    for (count, place) in places.enumerated() {
      // Rounding may move an impulse to the next frame.
      #expect(abs(Double(place) - (Double(count) * 48_000 / frequencyHz).rounded(.up)) <= 1)
    }
    #expect(places.first == 0)
  }

  @Test(
    "pink noise has its level, and equal power per octave",
    arguments: [44_100.0, 48_000, 96_000]
  )
  func pink(rate: Double) throws {
    let tone = try make(.pinkNoise, 440, -20, rate: rate)
    let heard = AudioThread.pull(tone.source, frames: 1 << 20, cycles: [1024])
    let power = heard.reduce(0.0) { $0 + Double($1 * $1) } / Double(heard.count)
    #expect(abs(10 * log10(power) + 20) < 0.5)
    // The power in bands an octave wide, through a band-pass filter of constant width in octaves.
    let levels = [60.0, 250, 1000, 4000].map { 10 * log10(bandPower(heard, $0, rate)) }
    let mean = levels.reduce(0, +) / Double(levels.count)
    #expect(levels.allSatisfy { abs($0 - mean) < 1 }, "\(levels)")
  }

  /// The power that passes a second-order band-pass filter of Q 1.4, twice.
  private func bandPower(_ samples: [Float], _ centerHz: Double, _ rate: Double) -> Double {
    let angle = 2 * Double.pi * centerHz / rate
    let alpha = sin(angle) / 2.8
    let (b0, a1, a2) = (
      alpha / (1 + alpha), -2 * cos(angle) / (1 + alpha), (1 - alpha) / (1 + alpha)
    )
    var stages = [[Double]](repeating: [0, 0, 0, 0], count: 2)
    var power = 0.0
    for sample in samples {
      var x = Double(sample)
      for stage in stages.indices {
        let s = stages[stage]
        let y = b0 * (x - s[1]) - a1 * s[2] - a2 * s[3]
        stages[stage] = [x, s[0], y, s[2]]
        x = y
      }
      power += x * x
    }
    return power / Double(samples.count)
  }

  @Test("the tone keeps its frequency at another rate")
  func reconfigure() throws {
    let tone = try make(.sine, 1000)
    try tone.reconfigure(sampleRateHz: 96_000)
    let heard = AudioThread.pull(tone.source, frames: 96_000, cycles: [64])
    #expect(Signals.sinadDB(heard[...], frequencyHz: 1000, sampleRateHz: 96_000) > 130)
    #expect(throws: AudioFileError.self) { try tone.reconfigure(sampleRateHz: 1500) }
  }

  @Test("tones out of range are refused")
  func errors() throws {
    for (frequencyHz, levelDB, rate) in [
      (0.0, 0.0, 48_000.0), (24_000, 0, 48_000), (-1, 0, 48_000), (.nan, 0, 48_000),
      (440, 0.1, 48_000), (440, .nan, 48_000), (440, 0, 0), (440, 0, .nan),
    ] {
      let error = #expect(throws: AudioFileError.self) {
        try make(.sine, frequencyHz, levelDB, rate: rate)
      }
      #expect(error?.code == .invalidSetting)
    }
    let tone = try make(.sine)
    #expect(throws: AudioFileError.self) { try tone.setLevel(1) }
    #expect(throws: AudioFileError.self) { try tone.setFrequency(30_000) }
    // The changes are not taken: at some point the queue is full, and an error says so.
    #expect(throws: AudioFileError.self) { for _ in 0..<100 { try tone.setLevel(-10) } }
  }
}
