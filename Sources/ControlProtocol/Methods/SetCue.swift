// SPDX-License-Identifier: MIT

/// Sends a strip, before its fader, to a cue route as well.
public enum SetCue: ControlMethod {
  /// The name on the wire.
  public static let name = "setCue"

  /// What to set.
  public struct Params: ControlParams {
    /// The strip's id.
    public var strip: String
    /// Whether it is heard on the cue route.
    public var cue: Bool
    /// The route to listen on; the graph's cue route when `nil`.
    public var route: String?

    /// Makes the parameters.
    public init(strip: String, cue: Bool, route: String? = nil) {
      self.strip = strip
      self.cue = cue
      self.route = route
    }

    /// Every parameter with what it may be.
    public static let fields: [ParamField<Params>] = [
      .strip, ParamField("cue", allowed: "true or false"),
      ParamField("route", allowed: "a route's name, a string; left out: the graph's cue route"),
    ]
  }

  /// When it is heard.
  public typealias Result = Applied
}
