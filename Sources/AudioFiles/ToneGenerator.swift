// SPDX-License-Identifier: MIT

internal import Glibc
internal import Realtime
internal import Synchronization

/// A test signal for the audio thread.
///
/// This is the control side; `source` is the audio side.
///
/// Not for the audio thread: [any-thread].
@safe
public final class ToneGenerator: @unchecked Sendable {
  /// The shapes of test signals.
  public enum Waveform: BitwiseCopyable, Sendable, Hashable, CaseIterable {
    /// A sine, starting at phase 0; the level is its peak.
    case sine
    /// Noise with equal power per octave from 10 Hz up; the level is its RMS value.
    case pinkNoise
    /// Single samples at the frequency given, the first at frame 0; the level is their height.
    case impulses
  }

  /// The settings of a signal.
  ///
  /// A plain value: [any-thread].
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

  /// The control side's state, and the lock that makes it the queue's one producer.
  private struct Control {
    var settings: Settings
    var sampleRateHz: Double
  }

  private let control: Mutex<Control>
  private let commands: SPSCQueue<ToneSource.Command>

  /// Makes a generator that sounds at its level from the first frame.
  ///
  /// - Parameters:
  ///   - settings: The settings of a signal.
  ///   - sampleRateHz: Rate of the audio thread.
  /// - Throws: `AudioFileError` with `invalidSetting`.
  public init(settings: Settings, sampleRateHz: Double) throws(AudioFileError) {
    try Self.check(frequencyHz: settings.frequencyHz, sampleRateHz: sampleRateHz)
    let level = try Self.linear(settings.levelDB)
    let increment = settings.frequencyHz / sampleRateHz
    let commands = SPSCQueue<ToneSource.Command>(minimumCapacity: 64)
    let state = UnsafeMutablePointer<ToneSource.State>.allocate(capacity: 1)
    unsafe state.initialize(
      to: ToneSource.State(
        commands: commands.consumer,
        waveform: settings.waveform,
        level: Ramp(restingAt: level),
        increment: increment,
        incrementTarget: increment,
        pink: PinkFilter(sampleRateHz: sampleRateHz),
      )
    )
    source = unsafe ToneSource(state: state)
    control = Mutex(Control(settings: settings, sampleRateHz: sampleRateHz))
    self.commands = commands
  }

  deinit {
    unsafe source.state.deallocate()
  }

  /// Glides to another frequency without a jump of phase.
  ///
  /// - Parameters:
  ///   - frequencyHz: Above 0, below half the sample rate.
  ///   - rampFrames: Length of the glide.
  /// - Throws: `AudioFileError` with `invalidSetting`.
  /// [any-thread] but the audio thread.
  public func setFrequency(_ frequencyHz: Double, rampFrames: Int = 240) throws(AudioFileError) {
    try control.withLock { control throws(AudioFileError) in
      try Self.check(frequencyHz: frequencyHz, sampleRateHz: control.sampleRateHz)
      control.settings.frequencyHz = frequencyHz
      try send(.increment(frequencyHz / control.sampleRateHz, rampFrames: max(0, rampFrames)))
    }
  }

  /// Ramps to another level.
  ///
  /// - Parameters:
  ///   - levelDB: −∞…0 dB relative to full scale.
  ///   - rampFrames: Length of the ramp.
  /// - Throws: `AudioFileError` with `invalidSetting`.
  /// [any-thread] but the audio thread.
  public func setLevel(_ levelDB: Double, rampFrames: Int = 240) throws(AudioFileError) {
    let level = try Self.linear(levelDB)
    try control.withLock { control throws(AudioFileError) in
      control.settings.levelDB = levelDB
      try send(.level(level, rampFrames: UInt32(clamping: rampFrames)))
    }
  }

  /// Follows the audio thread to another rate.
  ///
  /// - Parameter sampleRateHz: The new rate.
  /// - Throws: `AudioFileError` with `invalidSetting` if the frequency no longer fits. [any-thread]
  ///   except the audio thread.
  public func reconfigure(sampleRateHz: Double) throws(AudioFileError) {
    try control.withLock { control throws(AudioFileError) in
      let frequencyHz = control.settings.frequencyHz
      try Self.check(frequencyHz: frequencyHz, sampleRateHz: sampleRateHz)
      control.sampleRateHz = sampleRateHz
      try send(.increment(frequencyHz / sampleRateHz, rampFrames: 0))
      try send(.pinkFilter(PinkFilter(sampleRateHz: sampleRateHz)))
    }
  }

  private func send(_ command: ToneSource.Command) throws(AudioFileError) {
    guard commands.producer.push(command) else {
      throw .setting("the tone has too many changes", allowed: "64 changes in an audio cycle")
    }
  }

  private static func check(frequencyHz: Double, sampleRateHz: Double) throws(AudioFileError) {
    guard (1...10_000_000).contains(sampleRateHz) else {
      throw .setting("no tone at a rate of \(sampleRateHz) Hz", allowed: "1…10000000 Hz")
    }
    guard frequencyHz > 0, frequencyHz < sampleRateHz / 2 else {
      throw .setting(
        "no tone of \(frequencyHz) Hz",
        allowed: "above 0 and below \(sampleRateHz / 2) Hz",
      )
    }
  }

  private static func linear(_ levelDB: Double) throws(AudioFileError) -> Float {
    guard levelDB <= 0 else {
      throw .setting("no tone of \(levelDB) dB", allowed: "−∞…0 dB")
    }
    return Float(pow(10, levelDB / 20))
  }
}
