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
  /// The id of the session that interrupts it, or `null`.
  @OrNull public var interruptedBy: String?
  /// The ids of the sessions that duck it.
  public var duckedBy: [String]
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
    interruptedBy: String?,
    duckedBy: [String],
    preferred: PreferredValues,
  ) {
    self.id = id
    self.app = app
    self.category = category
    self.mode = mode
    self.options = options
    self.active = active
    self.interruptedBy = interruptedBy
    self.duckedBy = duckedBy
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
