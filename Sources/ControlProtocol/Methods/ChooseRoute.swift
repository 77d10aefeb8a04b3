// SPDX-License-Identifier: MIT

/// Moves the program of a session to the output route that its user has picked, or leaves it to the rules again (VOL-4).
///
/// Pure value: [any-thread].
public enum ChooseRoute: ControlMethod {
  /// The name on the wire.
  public static let name = "chooseRoute"

  /// A pick is the user's, or comes from the route picker of the app itself.
  public static func access(of params: Params) -> MethodAccess {
    .routePicker(session: params.session)
  }

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// The session's id.
    public var session: String
    /// The output route; left out, the rules decide again.
    public var route: String?

    /// Makes the parameters.
    public init(session: String, route: String? = nil) {
      self.session = session
      self.route = route
    }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [
      .session,
      ParamField("route", allowed: "an output route; left out, the rules decide again"),
    ]
  }

  /// When it was carried out.
  public typealias Result = Applied
}
