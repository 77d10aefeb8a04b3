// SPDX-License-Identifier: MIT

internal import NIOConcurrencyHelpers

extension AVAudioRecorder {
  /// Whether levels are measured: always; there is nothing to save.
  public var isMeteringEnabled: Bool {
    get { true }
    set {}
  }

  /// Reads the levels of what is recorded since the last call.
  /// [control-thread]
  public func updateMeters() {
    let recording = state.withLockedValue { $0.recording }
    let levels = ChannelLevels(recording?.levels ?? [])
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
}
