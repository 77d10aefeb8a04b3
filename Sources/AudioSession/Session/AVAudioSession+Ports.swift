// SPDX-License-Identifier: MIT

extension AVAudioSession {
  /// Lets JACK ports that the library has not made sound through the session: those of a client of the app's own.
  ///
  /// Not in the SDK. The host takes away what connects them with the hardware past the session's strip, so that
  /// interruptions and ducks are heard on them too (INT-1). While any of them is connected the app's audio runs (SES-4).
  ///
  /// - Parameters:
  ///   - ports: Full names of output ports, or globs with `*` and `?`; none takes them out again.
  ///   - channels: How many channels they are dealt out to, 1 to 64.
  /// - Throws: `badParam` for a pattern or a number that cannot be; `mediaServicesFailed` where no host answers.
  /// [control-thread]
  public func setOutputPorts(_ ports: [String], channels: Int = 2) throws {
    // Nothing is dealt out to nothing: any number will do.
    try AppAudio.shared.setOwnPorts(ports, channels: ports.isEmpty ? 2 : channels)
  }
}
