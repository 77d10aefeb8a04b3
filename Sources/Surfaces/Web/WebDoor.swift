// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import FoundationEssentials
internal import Sessions

/// The door of a page: it lets visitors in by keys, and passes their requests on to the page's site. [any-thread]
package struct WebDoor: WebSite {
  /// The answer to `GET /me`.
  private struct Me: Encodable {
    let role: String
    let route: String?
    let name: String
  }

  private static let json = "application/json"

  private let site: any WebSite
  private let tokens: WebTokens
  private let hostName: String

  /// Puts a door in front of a site.
  ///
  /// - Parameters:
  ///   - site: The site, whose sessions only visitors with a key reach.
  ///   - tokens: The keys.
  ///   - hostName: The host's name, which visitors are told.
  package init(site: any WebSite, tokens: WebTokens, hostName: String) {
    self.site = site
    self.tokens = tokens
    self.hostName = hostName
  }

  /// Whether a path takes POST.
  package func takesPosts(at path: String) -> Bool { path == "/login" || site.takesPosts(at: path) }

  /// Answers `/login` and `/me`; the rest is the site's.
  package func answer(_ request: WebRequest) async -> WebResponse {
    switch request.path {
    case "/login": login(request)
    case "/me": me(request)
    default: await site.answer(request)
    }
  }

  /// Begins a session of the site; it ends when its visitor's key is taken back.
  package func session(for request: WebRequest, on link: WebLink) -> (any WebSession)? {
    guard let visitor = request.visitor, let session = site.session(for: request, on: link)
    else { return nil }
    guard let token = visitor.token else { return session }
    tokens.join(link, token)
    return LetInSession(session: session, tokens: tokens, token: token, link: link)
  }

  private func login(_ request: WebRequest) -> WebResponse {
    guard request.isPost else {
      return .sentence("/login takes POST", status: 405, headers: ["Allow": "POST"])
    }
    guard let token = request.bearer, let secret = tokens.spend(token) else {
      return .sentence(
        "this address is no longer valid: it was used, is older than 10 minutes or was taken back; "
          + "ask for a new one ('multiroute web address')",
        status: 401,
        headers: ["WWW-Authenticate": "Bearer"],
      )
    }
    return WebResponse(
      status: 204,
      type: "text/plain; charset=utf-8",
      body: [],
      headers: ["Set-Cookie": request.cookie(secret.description)],
    )
  }

  private func me(_ request: WebRequest) -> WebResponse {
    guard let visitor = request.visitor else {
      return .sentence("nobody is logged in here", status: 401)
    }
    let me = Me(role: visitor.rights.role.name, route: visitor.rights.route, name: hostName)
    guard let body = try? JSONEncoder().encode(me) else {
      return .sentence("the answer cannot be written", status: 500)
    }
    return WebResponse(type: Self.json, body: Array(body))
  }
}

/// A session of a visitor with a key. [any-thread]
private struct LetInSession: WebSession {
  let session: any WebSession
  let tokens: WebTokens
  let token: Int
  let link: WebLink

  func opened() async { await session.opened() }

  func received(_ message: WebMessage) async { await session.received(message) }

  func closed() async {
    tokens.leave(link, token)
    await session.closed()
  }
}

/// The cookie with the secret of a session.
extension WebRequest {
  /// The seconds for which a browser keeps the cookie.
  private static let cookieSeconds = WebKey.sessionSeconds

  /// The name of a port's cookie: a browser gives the cookies of one port to all others of the machine.
  static func cookieName(ofPort port: Int) -> String { "multiroute-\(port)" }

  /// The header that gives a browser the secret.
  func cookie(_ secret: String) -> String {
    "\(Self.cookieName(ofPort: port))=\(secret); Path=/; Max-Age=\(Self.cookieSeconds); HttpOnly; SameSite=Strict"
      + (isSecure ? "; Secure" : "")
  }
}
