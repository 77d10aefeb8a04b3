// SPDX-License-Identifier: MIT

public import Foundation
internal import NIOConcurrencyHelpers

extension AVAudioPlayer {
  /// The volume, linear, 0 to 1 as a rule; changes ramp over 5 ms.
  public var volume: Float {
    get { state.withLockedValue { $0.volume } }
    set { setVolume(newValue, fadeDuration: 0.005) }
  }

  /// Goes to a volume over a time in seconds.
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

  /// Where in the picture it sounds: -1 is left, 1 is right; acts on files of two channels.
  public var pan: Float {
    get { state.withLockedValue { $0.pan } }
    set {
      state.withLockedValue { $0.pan = min(max(newValue.isFinite ? newValue : 0, -1), 1) }
      setVolume(volume, fadeDuration: 0.005)
    }
  }

  /// Always false: the rate of play cannot be changed.
  public var enableRate: Bool {
    get { false }
    set {}
  }

  /// Always 1.
  public var rate: Float {
    get { 1 }
    set {}
  }

  /// Whether levels are measured: always; there is nothing to save.
  public var isMeteringEnabled: Bool {
    get { true }
    set {}
  }

  /// Reads the levels since the last call.
  /// [control-thread]
  public func updateMeters() {
    guard let voice = state.withLockedValue({ $0.voice }) else { return }
    let levels = ChannelLevels((0..<voice.channels).map { voice.level(ofChannel: $0) })
    state.withLockedValue { $0.levels = levels }
  }

  /// The highest level at the last ``updateMeters()`` in dB, -160 to 0 and above.
  public func peakPower(forChannel channel: Int) -> Float {
    state.withLockedValue { $0.levels }.peak(channel)
  }

  /// The mean level at the last ``updateMeters()`` in dB, -160 to 0 and above.
  public func averagePower(forChannel channel: Int) -> Float {
    state.withLockedValue { $0.levels }.average(channel)
  }

  /// Which channel of the route each channel of the file goes to; nil for left, right and so on.
  ///
  /// With `multiRoute` each may be any channel of any output: one file to the left headphone, another to HDMI. One
  /// entry for each channel of the file; a channel of a port that has gone is silent.
  public var channelAssignments: [AVAudioSessionChannelDescription]? {
    get { state.withLockedValue { $0.assignments } }
    set {
      state.withLockedValue { $0.assignments = newValue }
      let wasPlaying = isPlaying
      detach()
      if wasPlaying { play() }
    }
  }
}

extension AVAudioPlayer.State {
  /// The gain of each channel: the volume, less on the side that the pan leaves.
  func gains(channels: Int) -> [Float] {
    (0..<channels).map { channel in
      guard channels == 2 else { return volume }
      return volume * (channel == 0 ? min(1, 1 - pan) : min(1, 1 + pan))
    }
  }
}
