// SPDX-License-Identifier: MIT

public import ControlProtocol

/// The state of a bridge at a moment: the `status` line.
///
/// It is the status that a host hands on, with what only the bridge's own reader asks for.
/// A plain value: [any-thread].
public struct BridgeReport: Sendable, Equatable {
  /// The lock, the card, and what is known of its clock.
  public var status: BridgeStatus
  /// The JACK client's name.
  public var name: String
  /// The ALSA device, as given.
  public var deviceName: String
  /// `playback` or `capture`.
  public var direction: BridgeDirection
  /// Whether the client is on a server.
  public var server: Server
  /// Number of ports.
  public var channels: Int
  /// The device's rate in Hz; nil while it is not open.
  public var deviceRateHz: Int?
  /// The device's period in frames.
  public var devicePeriodFrames: Int?
  /// Periods in the device's buffer.
  public var devicePeriods: Int?
  /// JACK's rate in Hz; nil without a server.
  public var jackRateHz: Int?
  /// JACK's period in frames.
  public var jackPeriodFrames: Int?
  /// The delay of `status` in frames of JACK.
  public var delayFrames: Double?
  /// Times that cycles of JACK went by without the bridge: a machine that was late, and a gap in the sound.
  public var missedCycles: Int
  /// Times that JACK's clock has stepped, for example because its server was late.
  public var jackSteps: Int
  /// Times that the device's clock has stepped.
  public var deviceSteps: Int
  /// Times that the server went away.
  public var serverLosses: Int
  /// Seconds since the process began.
  public var uptimeSeconds: Double

  /// Whether a bridge's client is on a server.
  public enum Server: String, Sendable, Codable {
    /// It is.
    case connected
    /// It waits for one.
    case waiting
  }
}

extension BridgeReport: Codable {
  private enum CodingKeys: String, CodingKey {
    case type, name, deviceName, direction, server, channels
    case deviceRateHz, devicePeriodFrames, devicePeriods, jackRateHz, jackPeriodFrames
    case delayFrames, missedCycles, jackSteps, deviceSteps, serverLosses, uptimeSeconds
  }

  /// Reads a line, with the keys of `status` beside the others.
  public init(from decoder: any Decoder) throws {
    status = try BridgeStatus(from: decoder)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    deviceName = try container.decode(String.self, forKey: .deviceName)
    direction = try container.decode(BridgeDirection.self, forKey: .direction)
    server = try container.decode(Server.self, forKey: .server)
    channels = try container.decode(Int.self, forKey: .channels)
    deviceRateHz = try container.decodeIfPresent(Int.self, forKey: .deviceRateHz)
    devicePeriodFrames = try container.decodeIfPresent(Int.self, forKey: .devicePeriodFrames)
    devicePeriods = try container.decodeIfPresent(Int.self, forKey: .devicePeriods)
    jackRateHz = try container.decodeIfPresent(Int.self, forKey: .jackRateHz)
    jackPeriodFrames = try container.decodeIfPresent(Int.self, forKey: .jackPeriodFrames)
    delayFrames = try container.decodeIfPresent(Double.self, forKey: .delayFrames)
    missedCycles = try container.decode(Int.self, forKey: .missedCycles)
    jackSteps = try container.decode(Int.self, forKey: .jackSteps)
    deviceSteps = try container.decode(Int.self, forKey: .deviceSteps)
    serverLosses = try container.decode(Int.self, forKey: .serverLosses)
    uptimeSeconds = try container.decode(Double.self, forKey: .uptimeSeconds)
  }

  /// Absent values are written as null, so that every line has every key.
  public func encode(to encoder: any Encoder) throws {
    try status.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(BridgeLine.Kind.status, forKey: .type)
    try container.encode(name, forKey: .name)
    try container.encode(deviceName, forKey: .deviceName)
    try container.encode(direction, forKey: .direction)
    try container.encode(server, forKey: .server)
    try container.encode(channels, forKey: .channels)
    try container.encode(deviceRateHz, forKey: .deviceRateHz)
    try container.encode(devicePeriodFrames, forKey: .devicePeriodFrames)
    try container.encode(devicePeriods, forKey: .devicePeriods)
    try container.encode(jackRateHz, forKey: .jackRateHz)
    try container.encode(jackPeriodFrames, forKey: .jackPeriodFrames)
    try container.encode(delayFrames, forKey: .delayFrames)
    try container.encode(missedCycles, forKey: .missedCycles)
    try container.encode(jackSteps, forKey: .jackSteps)
    try container.encode(deviceSteps, forKey: .deviceSteps)
    try container.encode(serverLosses, forKey: .serverLosses)
    try container.encode(uptimeSeconds, forKey: .uptimeSeconds)
  }
}

/// Something that happened to a bridge: the `event` line.
///
/// A plain value: [any-thread].
public struct BridgeEvent: Sendable, Equatable, Codable {
  /// The kind of event.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// The process runs.
    case started
    /// The lock state changed.
    case lockChanged
    /// The read pointer was moved while sound passed.
    case resync
    /// The device ran empty or full.
    case xrun
    /// JACK itself was late.
    case jackXrun
    /// The device is there.
    case deviceOpened
    /// The device went away, or could not be opened.
    case deviceLost
    /// A call into the device's driver does not come back.
    case deviceStuck
    /// The client is on the server.
    case serverConnected
    /// The server went away, or is not there.
    case serverLost
    /// JACK's period has another length.
    case bufferSizeChanged
    /// JACK's rate is another one.
    case sampleRateChanged
    /// JACK's freewheeling began or ended.
    case freewheel
    /// The process ends.
    case stopped
  }

  /// The kind of line.
  public var type = BridgeLine.Kind.event
  /// The kind of event.
  public var kind: Kind
  /// The lock state before.
  @NamedIfPresent public var from: BridgeStatus.Lock?
  /// The lock state after.
  @NamedIfPresent public var to: BridgeStatus.Lock?
  /// The event as a sentence.
  public var message: String

  init(
    _ kind: Kind,
    _ message: String,
    from: BridgeStatus.Lock? = nil,
    to: BridgeStatus.Lock? = nil
  ) {
    self.kind = kind
    self.message = message
    self.from = from
    self.to = to
  }
}

/// A line of a bridge's output.
public enum BridgeOutput: Sendable {
  /// The state.
  case status(BridgeReport)
  /// An event.
  case event(BridgeEvent)
}
