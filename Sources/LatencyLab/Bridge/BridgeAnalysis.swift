// SPDX-License-Identifier: MIT

import Glibc

/// The figures of a bridge, from a recorded tone and recorded impulses.
///
/// Pure value: [any-thread].
struct BridgeAnalysis {
  /// SINAD in dB, window by window.
  var sinad100msDB: [Double] = []
  var sinad1sDB: [Double] = []
  /// Windows of 100 ms in which there is no clean tone.
  var brokenWindows: Int { sinad100msDB.count { $0 < Self.brokenDB } }
  /// Number of breaks or jumps of the sound; adjacent broken windows count once.
  var resyncs: Int {
    let broken = sinad100msDB.map { $0 < Self.brokenDB }
    return zip(broken, [false] + broken).count { $0 && !$1 }
  }
  /// The tone's frequency in 1 s windows about its mean, in parts per million.
  var frequencyPPM: [Double] = []
  /// The mean frequency about the one that the clocks ask for, in parts per million.
  var meanFrequencyPPM = Double.nan
  /// The tone's phase about the best straight line, in frames, root mean square and largest.
  var wanderFrames = Double.nan
  var wanderPeakFrames = Double.nan
  /// From the cycle of JACK in which an impulse is played to that of the sink in which it is heard.
  var latencyMilliseconds: [Double] = []

  /// A break in the sound, or a moved read pointer, makes every sine fit worse than this.
  private static let brokenDB = 20.0

  /// Analyses a recording.
  ///
  /// - Parameters:
  ///   - recording: The recording.
  ///   - first: Its first frame after the time to settle.
  ///   - frequencyHz: The tone's frequency, in Hz of the player's nominal rate.
  ///   - played: The player's stamps.
  ///   - playerRateHz: The player's rate.
  ///   - impulseFrames: Frames of the player from one impulse to the next.
  init(
    _ recording: BridgeRecording,
    from first: Int,
    frequencyHz: Double,
    played: [CycleStamp],
    playerRateHz: Double,
    impulseFrames: Int,
  ) {
    let rate = recording.sampleRateHz
    let tone = recording.channels[0][first...]
    let second = Int(rate)
    let guess = frequencyHz / rate
    let long = Self.windows(tone, length: second, near: guess)
    let short = Self.windows(tone, length: second / 10, near: guess)
    sinad1sDB = long.map(\.sinadDB)
    sinad100msDB = short.map(\.sinadDB)
    let mean = long.map(\.frequency).mean ?? 0
    frequencyPPM = long.map { ($0.frequency / mean - 1) * 1e6 }
    meanFrequencyPPM = (mean / guess - 1) * 1e6
    findWander(short, hop: second / 10, frequency: mean)
    findLatency(recording, first, played, playerRateHz, impulseFrames)
  }

  private static func windows(
    _ samples: ArraySlice<Float>,
    length: Int,
    near guess: Double,
  ) -> [SineFit] {
    stride(from: samples.startIndex, to: samples.endIndex - length + 1, by: length).compactMap {
      SineFit(samples[$0..<($0 + length)], near: guess)
    }
  }

  /// Unwraps the phases and takes the best straight line away.
  private mutating func findWander(_ fits: [SineFit], hop: Int, frequency: Double) {
    guard fits.count > 3 else { return }
    var rests: [Double] = []
    var turn = 0.0
    for (index, fit) in fits.enumerated() {
      let expected = 2 * Double.pi * frequency * Double(hop * index)
      var rest = (fit.middlePhase - expected).remainder(dividingBy: 2 * Double.pi) + turn
      if let last = rests.last {
        let jump = ((rest - last) / (2 * Double.pi)).rounded() * 2 * Double.pi
        rest -= jump
        turn -= jump
      }
      rests.append(rest)
    }
    let frames = rests.deviationsFromLine.map { $0 / (2 * Double.pi * frequency) }
    wanderFrames = frames.rootMeanSquare ?? .nan
    wanderPeakFrames = frames.map(abs).max() ?? .nan
  }

  /// Finds each impulse's peak, and asks both sides' stamps when it was.
  private mutating func findLatency(
    _ recording: BridgeRecording,
    _ first: Int,
    _ played: [CycleStamp],
    _ playerRateHz: Double,
    _ impulseFrames: Int,
  ) {
    let samples = recording.channels[1]
    let rate = recording.sampleRateHz
    let spacing = Int(Double(impulseFrames) * rate / playerRateHz)
    var start = first + spacing
    while start + spacing < samples.count {
      let window = samples[start..<(start + spacing)]
      guard let peak = window.indices.max(by: { abs(samples[$0]) < abs(samples[$1]) }),
        abs(samples[peak]) > 0.1, peak > 0, peak + 1 < samples.count
      else {
        start += spacing
        continue
      }
      let place = Double(peak) + Self.vertex(samples[peak - 1], samples[peak], samples[peak + 1])
      if let heard = recording.stamps.nanoseconds(ofFrame: place, rateHz: rate),
        let latency = Self.latency(heard, played, playerRateHz, impulseFrames)
      {
        latencyMilliseconds.append(latency * 1e-6)
      }
      start = peak + spacing / 2
    }
  }

  /// The time since the youngest impulse that was played before; they are further apart than delays.
  private static func latency(
    _ heard: Double,
    _ played: [CycleStamp],
    _ rateHz: Double,
    _ impulseFrames: Int,
  ) -> Double? {
    guard let first = played.first else { return nil }
    let guess = Double(first.frame) + (heard - Double(first.nanoseconds)) * 1e-9 * rateHz
    let number = (guess / Double(impulseFrames)).rounded(.down)
    return played.nanoseconds(ofFrame: number * Double(impulseFrames), rateHz: rateHz).map {
      heard - $0
    }
  }

  /// The top of a parabola through three points, relative to the middle one.
  private static func vertex(_ left: Float, _ middle: Float, _ right: Float) -> Double {
    let bend = Double(left) - 2 * Double(middle) + Double(right)
    return bend == 0 ? 0 : 0.5 * (Double(left) - Double(right)) / bend
  }
}
