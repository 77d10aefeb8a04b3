// SPDX-License-Identifier: MIT

/// Solos a strip: while any strip is soloed, the others are silent.
public enum SetSolo: ControlMethod {
  /// The name on the wire.
  public static let name = "setSolo"

  /// What to set.
  public struct Params: ControlParams {
    /// The strip's id.
    public var strip: String
    /// Whether it is soloed.
    public var solo: Bool

    /// Makes the parameters.
    public init(strip: String, solo: Bool) {
      self.strip = strip
      self.solo = solo
    }

    /// Every parameter with what it may be.
    public static let fields: [ParamField<Params>] = [
      .strip, ParamField("solo", allowed: "true or false"),
    ]
  }

  /// When it is heard.
  public typealias Result = Applied
}
