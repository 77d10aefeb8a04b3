// SPDX-License-Identifier: MIT

/// The values the JACK server runs at.
///
/// Pure value: [any-thread].
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

/// The actual values of the JACK server, and its limits.
///
/// Pure value: [any-thread].
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

/// The values for all active sessions together, each with the session that decided it (rule HW-4).
public struct HardwareTarget: Hashable, Codable, Sendable {
  /// The values to set.
  public internal(set) var values: HardwareValues
  /// The session that decided the sample rate; nil without a preference.
  public internal(set) var sampleRateOwner: SessionID?
  /// The session that decided the buffer; nil without a preference.
  public internal(set) var bufferOwner: SessionID?
}

/// The hardware as the tower knows it.
///
/// Pure value: [any-thread].
public struct HardwareState: Hashable, Codable, Sendable {
  /// The server's actual values and its limits.
  public internal(set) var facts: HardwareFacts
  /// The values last read back from JACK.
  public internal(set) var actual: HardwareValues
  /// The target of the active sessions; nil without any preference.
  public internal(set) var target: HardwareTarget?
  /// The values of the last `setHardware` effect; nil before the first one.
  public internal(set) var requested: HardwareValues?
  /// The number of consecutive times that the host restored a value that another client changed
  /// (rule HW-2).
  public internal(set) var reassertions = 0
  /// When it was restored last, on the clock of the events.
  public internal(set) var reassertedAtNanoseconds: UInt64 = 0

  /// Whether values were requested and not read back yet.
  public internal(set) var isSettling = false

  init(facts: HardwareFacts) {
    self.facts = facts
    actual = facts.base
  }

  /// Whether the host stopped restoring values, so that two programs do not fight forever.
  public internal(set) var hasGivenUp = false
}
