// SPDX-License-Identifier: MIT

/// How a bridge is, at a moment: the `status` line.
public struct BridgeStatus: Sendable, Equatable, Codable {
  /// Always `status`.
  public var type = "status"
  /// The JACK client's name.
  public var name: String
  /// The ALSA device, as given.
  public var deviceName: String
  /// `playback` or `capture`.
  public var direction: BridgeDirection
  /// `starting`, `coarse`, `locked` or `lost`.
  public var lock: String
  /// `opening`, `open`, `waiting` or `stuck`.
  public var device: String
  /// `connected` or `waiting`.
  public var server: String
  /// Why it is not locked; nil when it is.
  public var reason: String?
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
  /// How much faster the device's clock runs than JACK's, in parts per million.
  public var ppm: Double?
  /// The delay from JACK to the device or the other way.
  public var delayMilliseconds: Double?
  /// The same in frames of JACK.
  public var delayFrames: Double?
  /// How far the delay is from where it is kept, in frames of the device.
  public var errorFrames: Double?
  /// Frames between the resampler and the device's driver.
  public var fillFrames: Int
  /// Times that the read pointer was moved after the first time.
  public var resyncs: Int
  /// Times that cycles of JACK went by without the bridge: a machine that was late, and a gap in the sound.
  public var missedCycles: Int
  /// Times that JACK's clock has stepped, for example because its server was late.
  public var jackSteps: Int
  /// Times that the device's clock has stepped.
  public var deviceSteps: Int
  /// Times that the device ran empty or full.
  public var xruns: Int
  /// Times that the device went away.
  public var deviceLosses: Int
  /// Times that the server went away.
  public var serverLosses: Int
  /// Seconds since the process began.
  public var uptimeSeconds: Double

  /// Absent values are written as null, so that every line has every key.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(type, forKey: .type)
    try container.encode(name, forKey: .name)
    try container.encode(deviceName, forKey: .deviceName)
    try container.encode(direction, forKey: .direction)
    try container.encode(lock, forKey: .lock)
    try container.encode(device, forKey: .device)
    try container.encode(server, forKey: .server)
    try container.encode(reason, forKey: .reason)
    try container.encode(channels, forKey: .channels)
    try container.encode(deviceRateHz, forKey: .deviceRateHz)
    try container.encode(devicePeriodFrames, forKey: .devicePeriodFrames)
    try container.encode(devicePeriods, forKey: .devicePeriods)
    try container.encode(jackRateHz, forKey: .jackRateHz)
    try container.encode(jackPeriodFrames, forKey: .jackPeriodFrames)
    try container.encode(ppm, forKey: .ppm)
    try container.encode(delayMilliseconds, forKey: .delayMilliseconds)
    try container.encode(delayFrames, forKey: .delayFrames)
    try container.encode(errorFrames, forKey: .errorFrames)
    try container.encode(fillFrames, forKey: .fillFrames)
    try container.encode(resyncs, forKey: .resyncs)
    try container.encode(missedCycles, forKey: .missedCycles)
    try container.encode(jackSteps, forKey: .jackSteps)
    try container.encode(deviceSteps, forKey: .deviceSteps)
    try container.encode(xruns, forKey: .xruns)
    try container.encode(deviceLosses, forKey: .deviceLosses)
    try container.encode(serverLosses, forKey: .serverLosses)
    try container.encode(uptimeSeconds, forKey: .uptimeSeconds)
  }
}
