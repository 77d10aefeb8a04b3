// SPDX-License-Identifier: MIT

/// Fades everything out and ends the host; the answer comes before the fade.
public enum Stop: ControlMethod {
  /// The name on the wire.
  public static let name = "stop"

  /// How to end.
  public struct Params: ControlParams {
    /// The fade's length; the host's default when `nil`.
    public var fadeMilliseconds: Double?

    /// Makes the parameters.
    public init(fadeMilliseconds: Double? = nil) { self.fadeMilliseconds = fadeMilliseconds }

    /// Every parameter with what it may be.
    public static let fields: [ParamField<Params>] = [
      .number("fadeMilliseconds", in: 0...60_000, "milliseconds (left out: the host's default)") {
        $0.fadeMilliseconds
      }
    ]
  }

  /// Nothing to tell.
  public typealias Result = NoResult
}
