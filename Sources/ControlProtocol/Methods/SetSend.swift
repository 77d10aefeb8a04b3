// SPDX-License-Identifier: MIT

/// Makes, changes or (with −inf) silences the send from a strip to a route, whole or by channel.
public enum SetSend: ControlMethod {
  /// The name on the wire.
  public static let name = "setSend"

  /// What to set.
  public struct Params: ControlParams {
    /// The strip's id.
    public var strip: String
    /// The route's name.
    public var route: String
    /// The gain in dB, −inf for silence.
    public var gainDB: Double
    /// One channel of the strip, from 1; given together with `routeChannel`.
    public var stripChannel: Int?
    /// One channel of the route, from 1; given together with `stripChannel`.
    public var routeChannel: Int?
    /// The ramp's length; the host's default when `nil`.
    public var rampMilliseconds: Double?

    /// Makes the parameters.
    public init(
      strip: String,
      route: String,
      gainDB: Double,
      stripChannel: Int? = nil,
      routeChannel: Int? = nil,
      rampMilliseconds: Double? = nil,
    ) {
      self.strip = strip
      self.route = route
      self.gainDB = gainDB
      self.stripChannel = stripChannel
      self.routeChannel = routeChannel
      self.rampMilliseconds = rampMilliseconds
    }

    /// Every parameter with what it may be.
    public static let fields: [ParamField<Params>] = [
      .strip, .route, .gainDB { $0.gainDB },
      .integer("stripChannel", in: 1...768, "given together with routeChannel") {
        $0.stripChannel
      },
      .integer("routeChannel", in: 1...768, "given together with stripChannel") {
        $0.routeChannel
      },
      ParamField("stripChannel, routeChannel", allowed: "both for one cell, neither for all") {
        ($0.stripChannel == nil) == ($0.routeChannel == nil) ? nil : "only one of them is given"
      },
      .ramp { $0.rampMilliseconds },
    ]
  }

  /// When it is heard.
  public typealias Result = Applied
}
