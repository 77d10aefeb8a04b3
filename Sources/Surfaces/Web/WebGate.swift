// SPDX-License-Identifier: MIT

internal import Glibc
internal import NIOCore
internal import NIOHTTP1
internal import Synchronization
internal import SystemSupport

/// The answer to a request that may not pass.
///
/// Pure value: [any-thread].
struct WebRefusal: Error {
  /// The answer.
  let response: WebResponse
}

/// The name under which mDNS announces this machine, which changes where another machine has it. [any-thread]
final class AnnouncedName: Sendable {
  private let name = Mutex<String?>(nil)

  /// The name in lower case; nil for none.
  var value: String? {
    get { name.withLock { $0 } }
    set { name.withLock { $0 = newValue?.lowercased() } }
  }
}

/// Checks requests before a site sees them. [any-thread]
struct WebGate: Sendable {
  /// The rules.
  let access: WebAccess
  /// The name of this machine in mDNS.
  var announced = AnnouncedName()
  /// Whether the connections are encrypted.
  var isSecure = false
  /// Whether a program of the host's own user, or of root, is at the other side.
  var isOfUser = true

  /// The gate for one connection, of which the kernel knows the user if it comes from this machine.
  func serving(_ channel: any Channel) -> WebGate {
    var gate = self
    guard let peer = channel.remoteAddress, let here = channel.localAddress,
      let address = peer.ipAddress, WebAccess.isLoopback(address)
    else { return gate }
    let user = Machine.this.user(
      ofSocketAt: Machine.Endpoint(address: address, port: peer.port ?? 0),
      connectedTo: Machine.Endpoint(address: here.ipAddress ?? "", port: here.port ?? 0),
    )
    gate.isOfUser = user == geteuid() || user == 0
    return gate
  }

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
      announcedName: announced.value,
      isOfUser: isOfUser,
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
