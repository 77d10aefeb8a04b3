// SPDX-License-Identifier: MIT

extension AVAudioSession {
  /// Whether input and output come from one device.
  public enum IOType: UInt, Sendable {
    /// The usual.
    case notSpecified = 0
    /// Input and output in one cycle, as JACK always has them.
    case aggregated = 1
  }
}
