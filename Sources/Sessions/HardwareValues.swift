// SPDX-License-Identifier: MIT

/// The values the JACK server runs at.
public struct HardwareValues: Hashable, Codable, Sendable {
  /// The sample rate in Hz.
  public var sampleRateHz: Double
  /// The period in frames.
  public var bufferFrames: Int

  /// Makes values.
  ///
  /// - Parameters:
  ///   - sampleRateHz: The sample rate in Hz.
  ///   - bufferFrames: The period in frames.
  public init(sampleRateHz: Double = 48_000, bufferFrames: Int = 1_024) {
    self.sampleRateHz = sampleRateHz
    self.bufferFrames = bufferFrames
  }

  /// The duration of one I/O buffer: frames / rate, exactly (rule HW-6).
  public var ioBufferSeconds: Double {
    sampleRateHz > 0 ? Double(bufferFrames) / sampleRateHz : 0
  }
}
