// SPDX-License-Identifier: MIT

/// The values the active sessions get together, and whose wish each one is (rule HW-4).
public struct HardwareTarget: Hashable, Codable, Sendable {
  /// The values to set.
  public internal(set) var values: HardwareValues
  /// Whose wish the sample rate is, nil when nobody's.
  public internal(set) var sampleRateOwner: SessionID?
  /// Whose wish the buffer is, nil when nobody's.
  public internal(set) var bufferOwner: SessionID?
}
