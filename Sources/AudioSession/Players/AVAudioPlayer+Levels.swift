// SPDX-License-Identifier: MIT

public import Foundation
internal import NIOConcurrencyHelpers
internal import Realtime

extension AVAudioPlayer {
  /// The volume, linear, normally 0 to 1; changes fade over 5 ms.
  public var volume: Float {
    get { state.withLockedValue { $0.volume } }
    set { setVolume(newValue, fadeDuration: 0.005) }
  }

  /// Fades to a volume over a time in seconds.
  /// [control-thread]
  public func setVolume(_ volume: Float, fadeDuration duration: TimeInterval) {
    let state = state.withLockedValue { state in
      state.volume = volume.isFinite ? max(0, volume) : 0
      return state
    }
    let rate = AVAudioSession.sharedInstance().sampleRate
    let frames = Int((max(duration, 0.005) * max(rate, 8_000)).rounded())
    state.voice.map { $0.setGains(state.gains(channels: $0.channels), fadeFrames: frames) }
  }

  /// The stereo position: -1 is left, 1 is right; it applies to files of two channels.
  public var pan: Float {
    get { state.withLockedValue { $0.pan } }
    set {
      state.withLockedValue { $0.pan = min(max(newValue.isFinite ? newValue : 0, -1), 1) }
      setVolume(volume, fadeDuration: 0.005)
    }
  }

  /// Always false: the rate of playback cannot be changed.
  public var enableRate: Bool {
    get { false }
    set {}
  }

  /// Always 1.
  public var rate: Float {
    get { 1 }
    set {}
  }

  /// Always true, because measuring levels is cheap.
  public var isMeteringEnabled: Bool {
    get { true }
    set {}
  }

  /// Reads the levels that were measured since the last call.
  /// [control-thread]
  public func updateMeters() {
    guard let voice = state.withLockedValue({ $0.voice }) else { return }
    let levels = ChannelLevels((0..<voice.channels).map { voice.level(ofChannel: $0) })
    state.withLockedValue { $0.levels = levels }
  }

  /// The peak level at the last ``updateMeters()`` in dB, from -160; 0 is full scale. [any-thread]
  public func peakPower(forChannel channel: Int) -> Float {
    state.withLockedValue { $0.levels }.peak(channel)
  }

  /// The mean level at the last ``updateMeters()`` in dB, from -160; 0 is full scale. [any-thread]
  public func averagePower(forChannel channel: Int) -> Float {
    state.withLockedValue { $0.levels }.average(channel)
  }

  /// The route's channel for each channel of the file; nil for the first ones in order.
  ///
  /// With `multiRoute`, each may be any channel of any output: one file on the left headphone, another on HDMI. There is
  /// one entry for each channel of the file; the channel of a disconnected port is silent.
  public var channelAssignments: [AVAudioSessionChannelDescription]? {
    get { state.withLockedValue { $0.assignments } }
    set {
      state.withLockedValue { $0.assignments = newValue }
      moveVoice()
    }
  }
}

extension AVAudioPlayer.State {
  /// The gain of each channel: the volume, lower on the side opposite to the pan.
  func gains(channels: Int) -> [Float] {
    (0..<channels).map { channel in
      guard channels == 2 else { return volume }
      return volume * (channel == 0 ? min(1, 1 - pan) : min(1, 1 + pan))
    }
  }
}

/// The last levels of a player's or a recorder's channels.
///
/// Pure value: [any-thread].
struct ChannelLevels: Sendable {
  private var readings: [MeterReading] = []

  init(_ readings: [MeterReading] = []) { self.readings = readings }

  /// The peak level in dB, from -160; 0 is full scale.
  func peak(_ channel: Int) -> Float { decibels(channel) { $0.peakLinear } }

  /// The mean level in dB, from -160; 0 is full scale.
  func average(_ channel: Int) -> Float { decibels(channel) { $0.rmsLinear } }

  private func decibels(_ channel: Int, _ level: (MeterReading) -> Float) -> Float {
    guard readings.indices.contains(channel), level(readings[channel]) > 0 else { return -160 }
    return max(-160, 20 * log10(level(readings[channel])))
  }
}
