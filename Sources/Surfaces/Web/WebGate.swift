// SPDX-License-Identifier: MIT

internal import NIOCore
internal import NIOHTTP1

/// The answer to a request that may not pass.
///
/// Pure value: [any-thread].
struct WebRefusal: Error {
  /// The answer.
  let response: WebResponse
}

/// Checks requests before a site sees them. [any-thread]
struct WebGate: Sendable {
  /// The rules.
  let access: WebAccess
  /// Whether the connections are encrypted.
  var isSecure = false

  /// The request, if it may pass.
  func pass(_ head: HTTPRequestHead, on channel: any Channel) -> Result<WebRequest, WebRefusal> {
    let peer = channel.remoteAddress?.ipAddress ?? ""
    let claim = WebAccess.Claim(
      hosts: head.headers["Host"],
      origins: head.headers["Origin"],
      authorizations: head.headers["Authorization"],
      cookies: head.headers["Cookie"],
      target: head.uri,
      localAddress: channel.localAddress?.ipAddress ?? "",
      port: channel.localAddress?.port ?? 0,
      peer: peer,
      isSecure: isSecure,
    )
    if let response = access.refusal(of: claim) { return .failure(WebRefusal(response: response)) }
    let marks = head.headers["If-None-Match"]
    guard var request = WebRequest(target: head.uri, peer: peer, marks: marks) else {
      return .failure(WebRefusal(response: .sentence("the target must be a path", status: 400)))
    }
    request.isPost = head.method == .POST
    request.bearer = WebAccess.bearer(claim)
    request.visitor = access.visitor(of: claim)
    request.port = claim.port
    request.isSecure = isSecure
    guard request.visitor != nil || !head.headers.contains(name: "Upgrade") else {
      return .failure(
        WebRefusal(
          response: .sentence(
            "nobody is logged in here: open the address that 'multiroute web address' prints",
            status: 401
          )
        )
      )
    }
    return .success(request)
  }
}
