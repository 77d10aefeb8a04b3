// SPDX-License-Identifier: MIT

/// What a bridge says of its card's clock; `docs/bridges.md` explains each value.
public struct BridgeStatus: Codable, Sendable, Hashable {
  /// `starting`, `coarse`, `locked` or `lost`.
  public var lock: String
  /// `opening`, `open`, `waiting` or `stuck`.
  public var device: String
  /// Why it is not locked.
  @OrNull public var reason: String?
  /// How much faster the card's clock runs than JACK's, in parts per million.
  @OrNull public var ppm: Double?
  /// From JACK to the card, or the other way.
  @OrNull public var delayMilliseconds: Double?
  /// How far the delay is from where it is kept.
  @OrNull public var errorFrames: Double?
  /// Frames between resampler and driver.
  @OrNull public var fillFrames: Double?
  /// Times that the read pointer was moved.
  public var resyncs: Int
  /// Times that the card ran empty or full.
  public var xruns: Int
  /// Times that the card went away.
  public var deviceLosses: Int

  /// Makes the value from its parts.
  public init(
    lock: String,
    device: String,
    reason: String?,
    ppm: Double?,
    delayMilliseconds: Double?,
    errorFrames: Double?,
    fillFrames: Double?,
    resyncs: Int,
    xruns: Int,
    deviceLosses: Int,
  ) {
    self.lock = lock
    self.device = device
    self.reason = reason
    self.ppm = ppm
    self.delayMilliseconds = delayMilliseconds
    self.errorFrames = errorFrames
    self.fillFrames = fillFrames
    self.resyncs = resyncs
    self.xruns = xruns
    self.deviceLosses = deviceLosses
  }
}
