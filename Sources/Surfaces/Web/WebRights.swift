// SPDX-License-Identifier: MIT

package import ControlProtocol
internal import Sessions

/// The visitor behind a request to a web server.
///
/// Pure value: [any-thread].
package struct WebVisitor: Hashable, Sendable {
  /// The key that let the visitor in; nil for one on this machine.
  package let token: Int?
  /// The requests that pass.
  package let rights: WebRights

  /// A visitor on this machine, who is the user.
  static let user = WebVisitor(token: nil, rights: WebRights(role: .all, givesKeys: true))
}

/// The requests that a visitor may make to the host.
///
/// The methods that this type does not name are refused, so a new one is closed until it is named.
///
/// Pure value: [any-thread].
package struct WebRights: Hashable, Sendable {
  /// The role.
  package let role: WebRole
  /// The route of the role `mix`.
  package let route: String?
  /// Whether it covers the keys to the page: those who were let in let nobody in, so a key that is taken back leaves none behind.
  let givesKeys: Bool

  /// Makes the rights of a role.
  init(role: WebRole, route: String? = nil, givesKeys: Bool = false) {
    self.role = role
    self.route = route
    self.givesKeys = givesKeys
  }

  /// The methods about keys.
  static let aboutKeys: Set<String> = [
    ListWebTokens.name, MakeWebToken.name, RevokeWebToken.name,
  ]
  /// The methods that change nothing, or only what the connection itself is sent.
  static let reading: Set<String> = [
    Hello.name, GetStatus.name, Subscribe.name, Unsubscribe.name, ListParameters.name,
    GetParameters.name, WatchParameters.name, Why.name, GetSession.name, ListScenes.name,
    ListControllers.name, ListPatch.name, ListPermissions.name, WebMeters.name,
  ]

  /// Finds out whether a request is beyond the rights.
  ///
  /// - Returns: `unauthorised` with what is allowed; nil for a request that may pass.
  package func refusal(of request: ControlRequest) -> ControlError? {
    let name = request.method.name
    switch role {
    case .all:
      guard !givesKeys, Self.aboutKeys.contains(name) else { return nil }
      return error(name, "keys to the page are given on the host's own machine")
    case .watch, .mix:
      if Self.reading.contains(name) { return nil }
      if role == .mix, let place = placeBeyondRoute(request) {
        return place.isEmpty ? nil : error(place, "it is not a part of this route's mix")
      }
      return error(name, "the role '\(role.name)' does not cover it")
    }
  }

  private func error(_ place: String, _ fault: String) -> ControlError {
    let route = route ?? ""
    let allowed =
      switch role {
      case .all: "all other methods"
      case .mix: "reading, the sends to the route '\(route)', and the gain of this route"
      case .watch: "reading"
      }
    return ControlError(.unauthorised, place: place, fault: fault, allowed: allowed)
  }

  /// Looks for something that is no part of the route's mix.
  ///
  /// - Returns: The place of the first such thing, empty if there is none; nil for a method that sets no mix.
  private func placeBeyondRoute(_ request: ControlRequest) -> String? {
    if let params = request.params(for: SetSend.self) {
      return params.route == route ? "" : "route"
    }
    if let params = request.params(for: SetGain.self) { return place(of: params.target, "gain") }
    if let params = request.params(for: StartFade.self) { return place(of: params.target, "gain") }
    if let params = request.params(for: SetMute.self) { return place(of: params.target, "mute") }
    if let params = request.params(for: SetParameters.self) {
      return params.values.first { !covers(ParameterPath.names($0.path) ?? []) }?.path ?? ""
    }
    return nil
  }

  private func place(of target: MixTarget, _ value: String) -> String {
    switch target {
    case .strip(let strip): covers(["strip", strip, value]) ? "" : "strip"
    case .route(let route): covers(["route", route, value]) ? "" : "route"
    case .send(let strip, let route):
      covers(["strip", strip, "send", route, value]) ? "" : "route"
    }
  }

  /// Whether the parameter with these names in its path belongs to the route's mix.
  private func covers(_ names: [String]) -> Bool {
    guard let route else { return false }
    if names.count == 5 {
      return names[0] == "strip" && names[2] == "send" && names[3] == route
        && ["gain", "mute"].contains(names[4])
    }
    return names == ["route", route, "gain"]
  }
}
