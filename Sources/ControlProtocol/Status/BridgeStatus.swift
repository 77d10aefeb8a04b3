// SPDX-License-Identifier: MIT

public import Sessions

/// A bridge's report on its card's clock; `docs/bridges.md` explains each value.
///
/// A bridge prints it as a part of its `status` lines, and the host hands it on in its own status.
/// Pure value: [any-thread].
public struct BridgeStatus: Codable, Sendable, Hashable {
  /// Whether it follows both clocks.
  @NamedIfKnown public var lock: Lock?
  /// Whether its card is there.
  @NamedIfKnown public var device: Device?
  /// Why it is not locked.
  @OrNull public var reason: String?
  /// The excess of the card's clock rate over JACK's, in parts per million.
  @OrNull public var ppm: Double?
  /// The delay from JACK to the card, or from the card to JACK.
  @OrNull public var delayMilliseconds: Double?
  /// The difference between the delay and its target.
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
    lock: Lock,
    device: Device,
    reason: String?,
    ppm: Double?,
    delayMilliseconds: Double?,
    errorFrames: Double?,
    fillFrames: Double?,
    resyncs: Int,
    xruns: Int,
    deviceLosses: Int,
  ) {
    _lock = NamedIfKnown(lock)
    _device = NamedIfKnown(device)
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

extension BridgeStatus {
  /// The states of a bridge's lock.
  public enum Lock: String, WireNamed, CaseIterable {
    /// The clocks are being timed; silence.
    case starting
    /// Sound, with a loop that is still wide.
    case coarse
    /// Sound, at a delay that is kept to a fraction of a frame.
    case locked
    /// The device or JACK does not run; silence.
    case lost
  }

  /// The states of a bridge's card.
  public enum Device: String, WireNamed, CaseIterable {
    /// It is being opened.
    case opening
    /// It runs.
    case open
    /// It is away, or was refused.
    case waiting
    /// A call into its driver does not come back.
    case stuck
  }
}

/// A line that a bridge prints, as far as its host reads it.
public enum BridgeLine: Sendable, Hashable {
  /// Its state.
  case status(BridgeStatus)
  /// Something that happened; docs/bridges.md lists the kinds, which a newer bridge may have more of.
  case event(kind: String, message: String)
  /// A line of a kind that this version does not know.
  case unknown(type: String)
}

/// Pure value: [any-thread].
extension BridgeLine: Decodable {
  private enum CodingKeys: String, CodingKey { case type, kind, message }

  /// The kinds of lines, by the key `type`.
  public enum Kind: String, Codable, Sendable, Hashable {
    /// The state.
    case status
    /// An event.
    case event
  }

  /// Reads a line.
  ///
  /// - Throws: A `DecodingError` where it is no bridge's.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let type = try container.decode(String.self, forKey: .type)
    switch Kind(rawValue: type) {
    case .status: self = .status(try BridgeStatus(from: decoder))
    case .event:
      let kind = try container.decodeIfPresent(String.self, forKey: .kind) ?? ""
      let message = try container.decodeIfPresent(String.self, forKey: .message)
      self = .event(kind: kind, message: message ?? kind)
    case nil: self = .unknown(type: type)
    }
  }
}
