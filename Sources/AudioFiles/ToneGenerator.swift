// SPDX-License-Identifier: MIT

/// A test signal for the audio thread.
///
/// This is the control side; `source` is the audio side.
public final class ToneGenerator: Sendable {
  /// The shapes of test signals.
  public enum Waveform: Sendable, Hashable, CaseIterable {
    /// A sine, starting at phase 0; the level is its peak.
    case sine
    /// Noise with equal power per octave from 10 Hz up; the level is its RMS value.
    case pinkNoise
    /// Single samples at the frequency given, the first at frame 0; the level is their height.
    case impulses
  }

  /// What sounds.
  public struct Settings: Sendable, Hashable {
    /// The shape.
    public var waveform: Waveform
    /// Frequency or impulse rate in Hz, above 0 and below half the sample rate; noise ignores it.
    public var frequencyHz: Double
    /// Level in dB relative to full scale, −∞…0.
    public var levelDB: Double

    /// Makes settings.
    ///
    /// - Parameters:
    ///   - waveform: The shape.
    ///   - frequencyHz: Frequency or impulse rate in Hz.
    ///   - levelDB: Level in dB relative to full scale, −∞…0.
    public init(waveform: Waveform = .sine, frequencyHz: Double = 440, levelDB: Double = -20) {
      self.waveform = waveform
      self.frequencyHz = frequencyHz
      self.levelDB = levelDB
    }
  }

  /// The audio side; valid while the generator lives.
  public let source: ToneSource

  /// Makes a generator that sounds at its level from the first frame.
  ///
  /// - Parameters:
  ///   - settings: What sounds.
  ///   - sampleRateHz: Rate of the audio thread.
  /// - Throws: `AudioFileError` with `invalidSetting`.
  public init(settings: Settings, sampleRateHz: Double) throws(AudioFileError) {
    fatalError("unwritten")
  }

  /// Glides to another frequency without a jump of phase.
  ///
  /// - Parameters:
  ///   - frequencyHz: Above 0, below half the sample rate.
  ///   - rampFrames: Length of the glide.
  /// - Throws: `AudioFileError` with `invalidSetting`.
  /// [any-thread] but the audio thread.
  public func setFrequency(_ frequencyHz: Double, rampFrames: Int = 240) throws(AudioFileError) {
    fatalError("unwritten")
  }

  /// Ramps to another level.
  ///
  /// - Parameters:
  ///   - levelDB: −∞…0 dB relative to full scale.
  ///   - rampFrames: Length of the ramp.
  /// - Throws: `AudioFileError` with `invalidSetting`.
  /// [any-thread] but the audio thread.
  public func setLevel(_ levelDB: Double, rampFrames: Int = 240) throws(AudioFileError) {
    fatalError("unwritten")
  }

  /// Follows the audio thread to another rate.
  ///
  /// - Parameter sampleRateHz: The new rate.
  /// - Throws: `AudioFileError` with `invalidSetting` where the frequency no longer fits.
  /// [any-thread] but the audio thread.
  public func reconfigure(sampleRateHz: Double) throws(AudioFileError) { fatalError("unwritten") }
}
