// SPDX-License-Identifier: MIT

/// What the output is overridden with; the SDK's raw values (rule RTE-5).
public enum PortOverride: UInt, Codable, Sendable {
  /// The usual route.
  case none = 0
  /// The built-in speaker and the built-in microphone ('spkr').
  case speaker = 0x7370_6B72
}
