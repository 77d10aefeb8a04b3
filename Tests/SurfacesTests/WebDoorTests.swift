// SPDX-License-Identifier: MIT

import ControlProtocol
import Synchronization
import TestSupport
import Testing

@testable import Surfaces

/// A site that says who asks, and keeps its sessions.
private final class VisitorSite: WebSite {
  let ended = Atomic(0)

  func answer(_ request: WebRequest) async -> WebResponse {
    let role = request.visitor.map { "\($0.rights.role)" } ?? "nobody"
    return .sentence("\(request.path) for \(role)", status: 200)
  }

  func session(for request: WebRequest, on link: WebLink) -> (any WebSession)? {
    EchoSession(site: self, link: link)
  }
}

/// A session that sends back what it gets.
private struct EchoSession: WebSession {
  let site: VisitorSite
  let link: WebLink

  func opened() async {}
  func received(_ message: WebMessage) async { link.send(message) }
  func closed() async { site.ended.add(1, ordering: .relaxed) }
}

/// The door of the page: the rules for peers in the network, and the way in over real sockets.
@Suite(.timeLimit(.minutes(1)))
struct WebDoorTests {
  private let tokens = WebTokens(nowSeconds: { 0 })

  // MARK: - A peer in the network

  /// A request from another machine.
  private func claim(_ change: (inout WebAccess.Claim) -> Void = { _ in }) -> WebAccess.Claim {
    var claim = WebAccess.Claim(hosts: ["192.168.1.2:8080"], port: 8080)
    claim.localAddress = "192.168.1.2"
    claim.peer = "192.168.1.7"
    change(&claim)
    return claim
  }

  private var access: WebAccess { WebAccess(proof: .sessions(tokens), names: ["mixer.local"]) }

  private func session() throws -> String {
    let made = try #require(tokens.make(role: .watch))
    return try #require(tokens.spend(made.token.description)).description
  }

  @Test func `the page's files are for everybody, but its sessions are not`() throws {
    #expect(access.refusal(of: claim()) == nil)
    #expect(access.visitor(of: claim()) == nil)
    #expect(access.visitor(of: claim { $0.peer = "127.0.0.1" }) == .user)
    let stranger = claim {
      $0.peer = "127.0.0.1"
      $0.isOfUser = false
    }
    #expect(access.visitor(of: stranger) == nil)
  }

  @Test func `the cookie of a session says who asks`() throws {
    let secret = try session()
    let visitor = WebVisitor(token: 1, rights: WebRights(role: .watch))
    for cookie in ["multiroute-8080=\(secret)", "a=b; multiroute-8080=\(secret); c=d"] {
      #expect(access.visitor(of: claim { $0.cookies = [cookie] }) == visitor)
    }
    for cookie in [
      "multiroute-8081=\(secret)", "xmultiroute-8080=\(secret)", "multiroute-8080=\(secret)0",
      "multiroute-8080=", "multiroute-8080", "multiroute-8080=\(WebToken())",
      "multiroute-8080=\(secret); multiroute-8080=\(secret)",
    ] {
      #expect(access.visitor(of: claim { $0.cookies = [cookie] }) == nil, "\(cookie)")
    }
    let twice = Array(repeating: "multiroute-8080=\(secret)", count: 2)
    #expect(access.visitor(of: claim { $0.cookies = twice }) == nil)
    #expect(access.visitor(of: claim { $0.authorizations = ["Bearer \(secret)"] }) == nil)
    #expect(access.visitor(of: claim { $0.target = "/live?token=\(secret)" }) == nil)
  }

  @Test(arguments: ["evil.example:8080", "192.168.1.3:8080", "192.168.1.2", "localhost:8080"])
  func `a foreign Host and a foreign Origin are refused, whatever the cookie`(
    name: String
  ) throws {
    let secret = try session()
    let foreign = claim {
      $0.cookies = ["multiroute-8080=\(secret)"]
      $0.hosts = [name]
    }
    #expect(access.refusal(of: foreign)?.status == 403)
    #expect(access.refusal(of: claim { $0.origins = ["http://" + name] })?.status == 403)
  }

  @Test func `with TLS the scheme of an Origin is https, and the usual port 443`() {
    func status(_ origin: String, port: Int) -> Int? {
      access.refusal(
        of: claim {
          $0.isSecure = true
          $0.port = port
          $0.hosts = ["mixer.local:\(port)"]
          $0.origins = [origin]
        }
      )?.status
    }
    #expect(status("https://mixer.local:8080", port: 8080) == nil)
    #expect(status("https://mixer.local", port: 443) == nil)
    #expect(status("http://mixer.local:8080", port: 8080) == 403)
    #expect(status("https://mixer.local", port: 8080) == 403)
  }

  // MARK: - Over real sockets

  private func with(_ body: (VisitorSite, Int) async throws -> Void) async throws {
    let site = VisitorSite()
    var configuration = WebServer.Configuration(port: 0)
    configuration.tokens = tokens
    let door = WebDoor(site: site, tokens: tokens, hostName: "dj")
    let server = try await WebServer.start(configuration, site: door)
    do {
      try await body(site, server.port)
    } catch {
      await server.close()
      throw error
    }
    await server.close()
  }

  private func logIn(_ token: String, _ port: Int, _ headers: String...) async throws -> (
    status: Int, head: String, body: String
  ) {
    let sent = ["Authorization: Bearer \(token)", "Content-Length: 0"] + headers
    return try await WebPeer.get("/login", port: port, method: "POST", headers: sent)
  }

  @Test func `a token is exchanged for a cookie that scripts cannot read, once`() async throws {
    try await with { _, port in
      let made = try #require(tokens.make(role: .mix, route: "monitor"))
      let answer = try await logIn(made.token.description, port)
      #expect(answer.status == 204)
      let cookie = answer.head.split(separator: "\r\n").first { $0.hasPrefix("Set-Cookie: ") }
      #expect(cookie?.hasPrefix("Set-Cookie: multiroute-\(port)=") == true)
      for attribute in ["; Path=/;", "; HttpOnly;", "; SameSite=Strict"] {
        #expect(cookie?.contains(attribute) == true, "\(attribute)")
      }
      #expect(cookie?.contains("Secure") == false)
      #expect(!answer.head.contains(made.token.description))
      for token in [made.token.description, WebToken().description, ""] {
        let refused = try await logIn(token, port)
        #expect(refused.status == 401 && !refused.head.contains("Set-Cookie"))
        #expect(token.isEmpty || !refused.body.contains(token))
      }
    }
  }

  @Test func `the door refuses other methods, bodies and sites`() async throws {
    try await with { _, port in
      let token = try #require(tokens.make(role: .all)).token.description
      let bearer = "Authorization: Bearer \(token)"
      #expect(try await WebPeer.get("/login", port: port, headers: [bearer]).status == 405)
      #expect(
        try await WebPeer.get("/", port: port, method: "POST", headers: [bearer]).status == 405
      )
      #expect(try await WebPeer.get("/me", port: port, method: "POST").status == 405)
      #expect(try await logIn(token, port, "Origin: http://evil.example").status == 403)
      let rebound = try await WebPeer.get(
        "/login",
        port: port,
        method: "POST",
        host: "rebound.example:\(port)",
        headers: [bearer]
      )
      #expect(rebound.status == 403)
      // None of them has used the token up.
      #expect(try await logIn(token, port, "Origin: http://localhost:\(port)").status == 204)
    }
  }

  @Test func `on this machine the visitor is the user, without a key`() async throws {
    try await with { site, port in
      let me = try await WebPeer.get("/me", port: port)
      #expect(me.status == 200 && me.head.contains("application/json"))
      #expect(
        me.body == #"{"name":"dj","role":"all"}"# || me.body == #"{"role":"all","name":"dj"}"#
      )
      #expect(try await WebPeer.get("/x", port: port).body == "/x for all\n")
      let peer = try await WebPeer.webSocket(port: port)
      await peer.write(WebPeer.frame(1, Array("hi".utf8)))
      #expect(await peer.message()?.payload == Array("hi".utf8))
      #expect(site.ended.load(ordering: .relaxed) == 0)
    }
  }
}
