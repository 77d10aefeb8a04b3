// SPDX-License-Identifier: MIT

internal import CRealtime
internal import InterAppAudio

/// A peak or dip of two channels whose frequency, gain and quality move without a step.
///
/// The state variable filter of Andrew Simper ("Solving the continuous SVF equations using trapezoidal integration"), which has the
/// curve of the cookbook's peaking filter, and stays stable while its coefficients move. Belongs to the audio thread.
struct PeakFilter: BitwiseCopyable {
  private struct Coefficients: BitwiseCopyable {
    var a1: Float = 1
    var a2: Float = 0
    var a3: Float = 0
    /// The share of the band in the output; 0 for 0 dB.
    var band: Float = 0
  }

  /// The two states of one channel.
  private struct Memory: BitwiseCopyable {
    var first: Float = 0
    var second: Float = 0
  }

  private var frequencyHz: ParameterRamp
  private var gainDB: ParameterRamp
  private var quality: ParameterRamp
  private var coefficients = Coefficients()
  private var left = Memory()
  private var right = Memory()
  private let sampleRateHz: Double

  /// The steps of a change: of 16 frames each, 20 ms at 48 kHz.
  private static var changeSteps: Int { @_noLocks @_noAllocation get { 60 } }

  /// Makes a filter that rests. [control-thread]
  init(_ band: ParametricEqualizer.Band, sampleRateHz: Double) {
    frequencyHz = ParameterRamp(restingAt: Float(band.frequencyHz))
    gainDB = ParameterRamp(restingAt: Float(band.gainDB))
    quality = ParameterRamp(restingAt: Float(band.quality))
    self.sampleRateHz = sampleRateHz
    coefficients = present
  }

  /// Heads for new values.
  @_noLocks @_noAllocation
  mutating func head(frequencyHz: Double, gainDB: Double, quality: Double) {
    self.frequencyHz.head(for: Float(frequencyHz), frames: Self.changeSteps)
    self.gainDB.head(for: Float(gainDB), frames: Self.changeSteps)
    self.quality.head(for: Float(quality), frames: Self.changeSteps)
  }

  /// Filters some frames of both channels in place.
  @_noLocks @_noAllocation
  mutating func render(
    _ left: UnsafeMutableBufferPointer<Float>,
    _ right: UnsafeMutableBufferPointer<Float>,
    from start: Int,
    to end: Int,
  ) {
    let isMoving = frequencyHz.isMoving || gainDB.isMoving || quality.isMoving
    var last = coefficients
    if isMoving {
      _ = frequencyHz.next()
      _ = gainDB.next()
      _ = quality.next()
      last = present
    }
    defer { coefficients = last }
    // A band of 0 dB is nothing; it begins from silence when it is needed.
    guard coefficients.band != 0 || last.band != 0 else {
      self.left = Memory()
      self.right = Memory()
      return
    }
    let step = isMoving ? change(to: last, frames: end - start) : Coefficients(a1: 0)
    var now = coefficients
    for index in start..<end {
      now.a1 += step.a1
      now.a2 += step.a2
      now.a3 += step.a3
      now.band += step.band
      unsafe left[index] = Self.next(left[index], &self.left, now)
      unsafe right[index] = Self.next(right[index], &self.right, now)
    }
  }

  @_noLocks @_noAllocation
  private static func next(_ input: Float, _ memory: inout Memory, _ now: Coefficients) -> Float {
    let rest = input - memory.second
    let band = now.a1 * memory.first + now.a2 * rest
    let low = memory.second + now.a2 * memory.first + now.a3 * rest
    memory.first = 2 * band - memory.first
    memory.second = 2 * low - memory.second
    return input + now.band * band
  }

  @_noLocks @_noAllocation
  private func change(to last: Coefficients, frames: Int) -> Coefficients {
    let share = 1 / Float(frames)
    return Coefficients(
      a1: (last.a1 - coefficients.a1) * share,
      a2: (last.a2 - coefficients.a2) * share,
      a3: (last.a3 - coefficients.a3) * share,
      band: (last.band - coefficients.band) * share,
    )
  }

  /// The coefficients of the present frequency, gain and quality.
  private var present: Coefficients {
    @_noLocks @_noAllocation
    get {
      let turns = min(Double(frequencyHz.value) / sampleRateHz, 0.45)
      let amplitude = realtime_exp(Double(gainDB.value) * 0.057_564_627_324_851_14)
      let slope = realtime_tan(Double.pi * turns)
      let damping = 1 / (Double(quality.value) * amplitude)
      let a1 = 1 / (1 + slope * (slope + damping))
      return Coefficients(
        a1: Float(a1),
        a2: Float(slope * a1),
        a3: Float(slope * slope * a1),
        band: gainDB.value == 0 ? 0 : Float(damping * (amplitude * amplitude - 1)),
      )
    }
  }
}
