// SPDX-License-Identifier: MIT

/// A session's preferences for the hardware; nil for a value without a preference (rule HW-1).
///
/// Pure value: [any-thread].
public struct HardwarePreferences: Hashable, Codable, Sendable {
  /// The sample rate in Hz.
  public internal(set) var sampleRateHz: Double?
  /// The duration of one I/O buffer in seconds.
  public internal(set) var ioBufferSeconds: Double?
  /// The number of input channels.
  public internal(set) var inputChannels: Int?
  /// The number of output channels.
  public internal(set) var outputChannels: Int?
  /// The input gain, linear, 0…1.
  public internal(set) var inputGainLinear: Float?

  /// Makes preferences without any value.
  public init() {}

  /// Makes preferences and checks each of them.
  ///
  /// - Parameters:
  ///   - sampleRateHz: Above 0 and finite.
  ///   - ioBufferSeconds: Above 0 and finite.
  ///   - inputChannels: At least 1.
  ///   - outputChannels: At least 1.
  ///   - inputGainLinear: Clamped to 0…1.
  /// - Throws: `badParam`, with the value and the allowed range.
  public init(
    sampleRateHz: Double? = nil,
    ioBufferSeconds: Double? = nil,
    inputChannels: Int? = nil,
    outputChannels: Int? = nil,
    inputGainLinear: Float? = nil,
  ) throws(SessionError) {
    let changes: [Change] =
      [
        sampleRateHz.map { .sampleRate(hz: $0) }, ioBufferSeconds.map { .ioBuffer(seconds: $0) },
        inputChannels.map { .inputChannels(count: $0) },
        outputChannels.map { .outputChannels(count: $0) },
        inputGainLinear.map { .inputGain(linear: $0) },
      ].compactMap { $0 }
    for change in changes { try apply(change) }
  }

  /// One preference.
  public enum Change: Hashable, Codable, Sendable {
    /// The sample rate in Hz; 0 withdraws the preference.
    case sampleRate(hz: Double)
    /// The duration of one I/O buffer in seconds; 0 withdraws the preference.
    case ioBuffer(seconds: Double)
    /// The number of input channels.
    case inputChannels(count: Int)
    /// The number of output channels.
    case outputChannels(count: Int)
    /// The input gain, linear, 0…1.
    case inputGain(linear: Float)
  }

  /// Applies one preference.
  ///
  /// - Parameter change: The preference.
  /// - Throws: `badParam`, with the value and the allowed range; the preferences are unchanged
  ///   then.
  public mutating func apply(_ change: Change) throws(SessionError) {
    switch change {
    case .sampleRate(let hz):
      guard hz.isFinite, hz >= 0 else {
        throw .value(
          "sampleRate",
          given: String(hz),
          allowed: "0 (no preference) or a rate in Hz",
          .hw1
        )
      }
      sampleRateHz = hz == 0 ? nil : hz
    case .ioBuffer(let seconds):
      guard seconds.isFinite, seconds >= 0 else {
        throw .value(
          "ioBufferDuration",
          given: String(seconds),
          allowed: "0 (no preference) or seconds",
          .hw1
        )
      }
      ioBufferSeconds = seconds == 0 ? nil : seconds
    case .inputChannels(let count):
      guard count >= 1 else {
        throw .value("inputNumberOfChannels", given: String(count), allowed: "1 or more", .hw1)
      }
      inputChannels = count
    case .outputChannels(let count):
      guard count >= 1 else {
        throw .value("outputNumberOfChannels", given: String(count), allowed: "1 or more", .hw1)
      }
      outputChannels = count
    case .inputGain(let linear):
      guard linear.isFinite else {
        throw .value("inputGain", given: String(linear), allowed: "0…1", .hw1)
      }
      inputGainLinear = min(max(linear, 0), 1)
    }
  }
}
