// SPDX-License-Identifier: MIT

/// Sets the gain of a strip, a route or a send, with a ramp.
///
/// Pure value: [any-thread].
public enum SetGain: ControlMethod {
  /// The name on the wire.
  public static let name = "setGain"

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// The target.
    public var target: MixTarget
    /// The gain in dB, −inf for silence.
    public var gainDB: Double
    /// The ramp's length; the host's default when `nil`.
    public var rampMilliseconds: Double?

    /// Makes the parameters.
    public init(target: MixTarget, gainDB: Double, rampMilliseconds: Double? = nil) {
      self.target = target
      self.gainDB = gainDB
      self.rampMilliseconds = rampMilliseconds
    }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] =
      ParamField.target + [.gainDB { $0.gainDB }, .ramp { $0.rampMilliseconds }]
  }

  /// When it is heard.
  public typealias Result = Applied
}

/// Pure value: [any-thread].
extension SetGain.Params {
  private enum CodingKeys: String, CodingKey { case gainDB, rampMilliseconds }

  /// Reads the keys of the target and the other keys of the same object.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    target = try MixTarget(from: decoder)
    gainDB = try container.decode(Double.self, forKey: .gainDB)
    rampMilliseconds = try container.decodeIfPresent(Double.self, forKey: .rampMilliseconds)
  }

  /// Writes the keys of the target and the other keys of the same object.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try target.encode(to: encoder)
    try container.encode(gainDB, forKey: .gainDB)
    try container.encodeIfPresent(rampMilliseconds, forKey: .rampMilliseconds)
  }
}

/// Mutes or unmutes a strip, a route or a send; the gain stays as it is.
///
/// Pure value: [any-thread].
public enum SetMute: ControlMethod {
  /// The name on the wire.
  public static let name = "setMute"

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// The target.
    public var target: MixTarget
    /// Whether it is muted.
    public var muted: Bool

    /// Makes the parameters.
    public init(target: MixTarget, muted: Bool) {
      self.target = target
      self.muted = muted
    }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] =
      ParamField.target + [ParamField("muted", allowed: "true or false")]
  }

  /// When it is heard.
  public typealias Result = Applied
}

/// Pure value: [any-thread].
extension SetMute.Params {
  private enum CodingKeys: String, CodingKey { case muted }

  /// Reads the keys of the target and the other keys of the same object.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    target = try MixTarget(from: decoder)
    muted = try container.decode(Bool.self, forKey: .muted)
  }

  /// Writes the keys of the target and the other keys of the same object.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try target.encode(to: encoder)
    try container.encode(muted, forKey: .muted)
  }
}

/// Fades a strip, a route or a send to a gain; answers when the fade starts.
///
/// The event `fadeFinished` with the same fade number comes at the end, also when another change
/// took over.
///
/// Pure value: [any-thread].
public enum StartFade: ControlMethod {
  /// The name on the wire.
  public static let name = "fade"

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// The target.
    public var target: MixTarget
    /// The gain at the end in dB, −inf for silence.
    public var gainDB: Double
    /// The duration of the fade.
    public var durationMilliseconds: Double

    /// Makes the parameters.
    public init(target: MixTarget, gainDB: Double, durationMilliseconds: Double) {
      self.target = target
      self.gainDB = gainDB
      self.durationMilliseconds = durationMilliseconds
    }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] =
      ParamField.target + [
        .gainDB { $0.gainDB },
        .number("durationMilliseconds", in: 0...3_600_000, "milliseconds") {
          $0.durationMilliseconds
        },
      ]
  }

  /// The fade that was started.
  public struct Result: Codable, Sendable, Hashable {
    /// The fade's number, which `fadeFinished` carries in its details as `fade`.
    public var fade: UInt64
    /// The gain it starts from in dB.
    public var fromGainDB: Double
    /// The JACK frame of its start, `null` without a server.
    @OrNull public var frame: UInt64?

    /// Makes the result.
    public init(fade: UInt64, fromGainDB: Double, frame: UInt64?) {
      self.fade = fade
      self.fromGainDB = fromGainDB
      self.frame = frame
    }
  }
}

/// Pure value: [any-thread].
extension StartFade.Params {
  private enum CodingKeys: String, CodingKey { case gainDB, durationMilliseconds }

  /// Reads the keys of the target and the other keys of the same object.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    target = try MixTarget(from: decoder)
    gainDB = try container.decode(Double.self, forKey: .gainDB)
    durationMilliseconds = try container.decode(Double.self, forKey: .durationMilliseconds)
  }

  /// Writes the keys of the target and the other keys of the same object.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try target.encode(to: encoder)
    try container.encode(gainDB, forKey: .gainDB)
    try container.encode(durationMilliseconds, forKey: .durationMilliseconds)
  }
}
