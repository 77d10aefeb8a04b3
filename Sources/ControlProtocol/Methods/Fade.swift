// SPDX-License-Identifier: MIT

/// Fades a strip, a route or a send to a gain; answers when the fade starts.
///
/// The event `fadeFinished` with the same fade number comes at the end, also when another change
/// took over.
public enum Fade: ControlMethod {
  /// The name on the wire.
  public static let name = "fade"

  /// What to do.
  public struct Params: ControlParams {
    /// What it applies to.
    public var target: MixTarget
    /// The gain at the end in dB, −inf for silence.
    public var gainDB: Double
    /// How long it takes.
    public var durationMilliseconds: Double

    /// Makes the parameters.
    public init(target: MixTarget, gainDB: Double, durationMilliseconds: Double) {
      self.target = target
      self.gainDB = gainDB
      self.durationMilliseconds = durationMilliseconds
    }

    /// Every parameter with what it may be.
    public static let fields: [ParamField<Params>] =
      ParamField.target + [
        .gainDB { $0.gainDB },
        .number("durationMilliseconds", in: 0...3_600_000, "milliseconds") {
          $0.durationMilliseconds
        },
      ]
  }

  /// What was started.
  public struct Result: Codable, Sendable, Hashable {
    /// The fade's number, which `fadeFinished` carries in its details as `fade`.
    public var fade: UInt64
    /// The gain it starts from in dB.
    public var fromGainDB: Double
    /// The JACK frame of its start, `null` while there is no server.
    @OrNull public var frame: UInt64?

    /// Makes the result.
    public init(fade: UInt64, fromGainDB: Double, frame: UInt64?) {
      self.fade = fade
      self.fromGainDB = fromGainDB
      self.frame = frame
    }
  }
}

extension Fade.Params {
  private enum CodingKeys: String, CodingKey { case gainDB, durationMilliseconds }

  /// Reads the target's keys beside the others.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    target = try MixTarget(from: decoder)
    gainDB = try container.decode(Double.self, forKey: .gainDB)
    durationMilliseconds = try container.decode(Double.self, forKey: .durationMilliseconds)
  }

  /// Writes the target's keys beside the others.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try target.encode(to: encoder)
    try container.encode(gainDB, forKey: .gainDB)
    try container.encode(durationMilliseconds, forKey: .durationMilliseconds)
  }
}
