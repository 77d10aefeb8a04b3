// SPDX-License-Identifier: MIT

/// What the JACK server runs at and what it can do.
public struct HardwareFacts: Hashable, Codable, Sendable {
  /// The values the server started with.
  public var base: HardwareValues
  /// Whether the sample rate can change: the server is the host's own (rule HW-2).
  public var canSetSampleRate: Bool
  /// The rates the driver supports, in Hz; empty supports every one.
  public var sampleRatesHz: [Double]
  /// The shortest period in frames.
  public var minimumBufferFrames: Int
  /// The longest period in frames.
  public var maximumBufferFrames: Int

  /// Makes facts.
  ///
  /// - Parameters:
  ///   - base: The values the server started with.
  ///   - canSetSampleRate: Whether the sample rate can change.
  ///   - sampleRatesHz: The rates the driver supports, in Hz; empty supports every one.
  ///   - minimumBufferFrames: The shortest period in frames, at least 1.
  ///   - maximumBufferFrames: The longest period in frames, at least the shortest.
  public init(
    base: HardwareValues = HardwareValues(),
    canSetSampleRate: Bool = false,
    sampleRatesHz: [Double] = [],
    minimumBufferFrames: Int = 16,
    maximumBufferFrames: Int = 8_192,
  ) {
    self.base = base
    self.canSetSampleRate = canSetSampleRate
    self.sampleRatesHz = sampleRatesHz
    self.minimumBufferFrames = max(1, minimumBufferFrames)
    self.maximumBufferFrames = max(self.minimumBufferFrames, maximumBufferFrames)
  }
}
