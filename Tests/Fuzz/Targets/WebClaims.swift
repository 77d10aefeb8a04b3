// SPDX-License-Identifier: MIT

import ControlProtocol
import FoundationEssentials

@testable import Surfaces

/// The rules of access to a web server, for requests of another machine in the network.
///
/// A line of the input is a header or the target, by its first letter: `h`ost, `o`rigin, `a`uthorization, `c`ookie, `t`arget.
/// Pure functions: [any-thread].
enum WebClaims {
  private static let name = "mixer.local"
  private static let address = "192.168.1.2"
  private static let token = WebKeys.each.description

  static func read(_ text: String) {
    var claim = WebAccess.Claim(localAddress: address, port: 8_080, peer: "192.168.1.7")
    for line in text.split(separator: "\n") {
      let value = String(line.dropFirst())
      switch line.first {
      case "h": claim.hosts.append(value)
      case "o": claim.origins.append(value)
      case "a": claim.authorizations.append(value)
      case "c": claim.cookies.append(value)
      case "t": claim.target = value
      case "s": claim.isSecure = true
      default: break
      }
    }
    let asksForToken = WebAccess(proof: .token(WebKeys.each), names: [name])
    let hasSessions = WebAccess(proof: .sessions(WebKeys.tokens()), names: [name])
    checkOrigin(of: claim, hasSessions, asksForToken)
    checkToken(of: claim, asksForToken)
    checkCookie(of: claim, hasSessions)
    checkAnswer(to: claim.target)
  }

  // MARK: - Statements

  /// Another site is refused, whatever else a request has.
  private static func checkOrigin(
    of claim: WebAccess.Claim,
    _ hasSessions: WebAccess,
    _ asksForToken: WebAccess,
  ) {
    var good = claim
    good.target = "/"
    good.authorizations = ["Bearer \(token)"]
    if hasSessions.refusal(of: claim) == nil {
      let host = claim.hosts.joined().lowercased()
      precondition(claim.hosts.count == 1, "a request with two hosts passes")
      precondition(host.contains(name) || host.contains(address), "another host passes")
      precondition(asksForToken.refusal(of: good) == nil, "the right token is refused")
    } else {
      precondition(asksForToken.refusal(of: good) != nil, "a token makes another site ours")
    }
    good.origins.append("http://192.168.1.3:8080")
    precondition(asksForToken.refusal(of: good)?.status == 403, "another origin passes")
    good.origins = []
    good.hosts = claim.hosts + ["192.168.1.3:8080"]
    precondition(asksForToken.refusal(of: good)?.status == 403, "another host passes")
  }

  /// A token passes once and as it is.
  private static func checkToken(of claim: WebAccess.Claim, _ access: WebAccess) {
    guard access.refusal(of: claim) == nil else { return }
    let given = ([claim.target] + claim.authorizations).joined(separator: "\n")
    precondition(given.contains(token), "a request without the token passes")
    var twice = claim
    twice.authorizations.append("Bearer \(token)")
    precondition(access.refusal(of: twice)?.status == 401, "a token that is there twice passes")
    var wrong = claim
    wrong.target = changed(claim.target, token)
    wrong.authorizations = claim.authorizations.map { changed($0, token) }
    precondition(access.refusal(of: wrong)?.status == 401, "a token with a wrong digit passes")
  }

  /// A cookie lets in once and as it is.
  private static func checkCookie(of claim: WebAccess.Claim, _ access: WebAccess) {
    guard access.visitor(of: claim) != nil else { return }
    let secret = WebKeys.session
    precondition(claim.cookies.contains { $0.contains(secret) }, "a visitor without a key is in")
    var twice = claim
    twice.cookies.append("multiroute-8080=\(secret)")
    precondition(access.visitor(of: twice) == nil, "a secret that is there twice passes")
    var wrong = claim
    wrong.cookies = claim.cookies.map { changed($0, secret) }
    precondition(access.visitor(of: wrong) == nil, "a secret with a wrong digit passes")
  }

  /// A request has a path without a query and no token; what OSCQuery answers is JSON or a sentence.
  private static func checkAnswer(to target: String) {
    guard let request = WebRequest(target: target, peer: "192.168.1.7") else { return }
    precondition(request.path.hasPrefix("/") && !request.path.contains { "?#".contains($0) })
    precondition(!request.query.contains { $0.hasPrefix("token=") }, "a site gets the token")
    let answer = OSCQueryReply.response(
      to: request,
      in: PageSite.namespace,
      host: OSCQueryHostInfo(name: "mixer", oscPort: 9_000),
    )
    switch answer.status {
    case 200: LineGuest.check(answer.body)
    case 204: precondition(answer.body.isEmpty)
    default: precondition([400, 404].contains(answer.status), "\(answer.status)")
    }
  }

  /// A text with one digit of each token in it changed, the place depending on the text.
  private static func changed(_ text: String, _ token: String) -> String {
    var wrong = Array(token.utf8)
    wrong[text.utf8.count % wrong.count] ^= 1
    return text.replacing(token, with: String(decoding: wrong, as: UTF8.self))
  }
}
