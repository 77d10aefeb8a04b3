// SPDX-License-Identifier: MIT

import Realtime

/// The audio side of a `ToneGenerator`: a pointer, free to copy, valid while the generator lives.
@safe
public struct ToneSource: BitwiseCopyable, @unchecked Sendable {
  let state: UnsafeMutablePointer<State>

  /// Writes the next frames, the same to every channel.
  ///
  /// - Parameters:
  ///   - outputs: One pointer per channel; a nil one is left out.
  ///   - channels: The number of pointers.
  ///   - frames: 0 or more.
  /// - Complexity: O(frames × channels).
  /// [audio-thread] — never blocks, never allocates.
  @_noLocks @_noAllocation
  public func read(
    into outputs: UnsafePointer<UnsafeMutablePointer<Float>?>,
    channels: Int,
    frames: Int,
  ) {
    var tone = unsafe state.pointee
    tone.takeCommands()
    var frame = 0
    while frame < frames {
      let sample = tone.next()
      for channel in 0..<channels {
        if let output = unsafe outputs[channel] { unsafe output[frame] = sample }
      }
      frame += 1
    }
    unsafe state.pointee = tone
  }
}

extension ToneSource {
  /// A change of what sounds, from the control side.
  enum Command: BitwiseCopyable {
    /// Periods per frame, to be reached over some frames.
    case increment(Double, rampFrames: Int)
    /// Linear level, to be reached over some frames.
    case level(Float, rampFrames: UInt32)
    /// The filter for another sample rate.
    case pinkFilter(PinkFilter)
  }

  /// The audio side's state; the control side only queues commands.
  struct State: BitwiseCopyable {
    let commands: SPSCQueue<Command>.Consumer
    let waveform: ToneGenerator.Waveform
    var level: Ramp
    /// The position of the tone in its period, 0…1.
    ///
    /// Impulses sound where it is about to begin.
    var phase = 0.0
    /// Periods per frame.
    var increment: Double
    var incrementStep = 0.0
    var incrementTarget: Double
    var incrementFrames = 0
    var random: UInt64 = 0x9E37_79B9_7F4A_7C15
    var pink: PinkFilter
  }
}

extension ToneSource.State {
  /// Applies the commands that were queued since the last cycle. [audio-thread]
  @_noLocks @_noAllocation
  mutating func takeCommands() {
    while let command = commands.pop() {
      switch command {
      case .increment(let target, let frames):
        incrementTarget = target
        incrementFrames = frames
        if frames == 0 { increment = target }
        incrementStep = frames == 0 ? 0 : (target - increment) / Double(frames)
      case .level(let target, let frames):
        level.retarget(to: target, frames: frames, shape: .linear)
      case .pinkFilter(let filter):
        pink = filter
      }
    }
  }

  /// The next sample.
  /// [audio-thread]
  @_noLocks @_noAllocation
  mutating func next() -> Float {
    let raw =
      switch waveform {
      case .sine: sineOfTurns(phase)
      case .impulses: phase < increment ? 1.0 : 0.0
      case .pinkNoise: pink.next(white())
      }
    let sample = Float(raw) * level.value
    level.advance(frames: 1)
    phase += increment
    if phase >= 1 { phase -= 1 }
    if incrementFrames > 0 {
      incrementFrames -= 1
      increment = incrementFrames == 0 ? incrementTarget : increment + incrementStep
    }
    return sample
  }

  /// White noise, evenly spread, of RMS value 1 (xorshift64*).
  @_noLocks @_noAllocation
  private mutating func white() -> Double {
    random ^= random >> 12
    random ^= random << 25
    random ^= random >> 27
    let bits = Int32(truncatingIfNeeded: (random &* 0x2545_F491_4F6C_DD1D) >> 32)
    return Double(bits) * (1.732_050_807_568_877_2 / 2_147_483_648)
  }
}

/// The sine of `turns` full turns, 0…1, within 1 part in 10¹¹, without the C library.
/// [any-thread]
@_noLocks @_noAllocation
func sineOfTurns(_ turns: Double) -> Double {
  // sin(2πx) = −sin(2π(x − ½)), folded to a quarter turn either side.
  var part = turns - 0.5
  if part > 0.25 { part = 0.5 - part }
  if part < -0.25 { part = -0.5 - part }
  let x = -2 * Double.pi * part
  let square = x * x
  // Taylor's series up to the 15th power.
  var series = 1 - square / 210
  series = 1 - square / 156 * series
  series = 1 - square / 110 * series
  series = 1 - square / 72 * series
  series = 1 - square / 42 * series
  series = 1 - square / 20 * series
  series = 1 - square / 6 * series
  return x * series
}
