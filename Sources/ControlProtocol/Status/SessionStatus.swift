// SPDX-License-Identifier: MIT

/// An audio session as the host sees it.
public struct SessionStatus: Codable, Sendable, Hashable {
  /// The session's id.
  public var id: String
  /// The program that it belongs to.
  public var app: String
  /// The category, for instance `multiRoute`.
  public var category: String
  /// The mode, for instance `default`.
  public var mode: String
  /// The options by name.
  public var options: [String]
  /// Whether it is active.
  public var active: Bool
  /// The priority class: `phone`, `alarm`, `assistant` or `app`.
  public var priorityClass: String
  /// The strips that it is heard through.
  public var strips: [String]
  /// The ports of hardware that it plays to past its strips, as no route of the graph names them.
  public var direct: [String]
  /// Whether its audio is heard.
  public var sounding: Bool
  /// Whether it has been active for long without a sound (ACT-8).
  public var silentForLong: Bool
  /// The id of the session that interrupts it, or what else does, or `null`.
  @OrNull public var interruptedBy: String?
  /// The ids of the sessions that duck it.
  public var duckedBy: [String]
  /// By how much it is lowered in dB, 0 when it is not.
  public var duckGainDB: Double
  /// Since when it is interrupted, or else active or not: CLOCK_MONOTONIC.
  public var sinceMonotonicNanoseconds: UInt64
  /// By which rule it is interrupted or lowered, or `null`.
  @OrNull public var rule: String?
  /// What it asked of the hardware.
  public var preferred: PreferredValues

  /// Makes the value from its parts.
  public init(
    id: String,
    app: String,
    category: String,
    mode: String,
    options: [String],
    active: Bool,
    priorityClass: String,
    strips: [String],
    direct: [String] = [],
    sounding: Bool,
    silentForLong: Bool,
    interruptedBy: String?,
    duckedBy: [String],
    duckGainDB: Double,
    sinceMonotonicNanoseconds: UInt64,
    rule: String?,
    preferred: PreferredValues,
  ) {
    self.id = id
    self.app = app
    self.category = category
    self.mode = mode
    self.options = options
    self.active = active
    self.priorityClass = priorityClass
    self.strips = strips
    self.direct = direct
    self.sounding = sounding
    self.silentForLong = silentForLong
    self.interruptedBy = interruptedBy
    self.duckedBy = duckedBy
    self.duckGainDB = duckGainDB
    self.sinceMonotonicNanoseconds = sinceMonotonicNanoseconds
    self.rule = rule
    self.preferred = preferred
  }
}

/// What a session asked of the hardware, `null` where it asked for nothing.
public struct PreferredValues: Codable, Sendable, Hashable {
  /// The sample rate.
  @OrNull public var sampleRateHz: Double?
  /// The I/O buffer's duration.
  @OrNull public var ioBufferDurationSeconds: Double?
  /// The number of input channels.
  @OrNull public var inputChannels: Int?
  /// The number of output channels.
  @OrNull public var outputChannels: Int?

  /// Makes the value from its parts.
  public init(
    sampleRateHz: Double?,
    ioBufferDurationSeconds: Double?,
    inputChannels: Int?,
    outputChannels: Int?,
  ) {
    self.sampleRateHz = sampleRateHz
    self.ioBufferDurationSeconds = ioBufferDurationSeconds
    self.inputChannels = inputChannels
    self.outputChannels = outputChannels
  }
}
