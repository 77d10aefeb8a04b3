// SPDX-License-Identifier: MIT

import Testing

@testable import Surfaces

@Suite
struct WebAccessTests {
  private static let token = WebToken()
  private static let access = WebAccess(proof: .token(token), names: ["mixer", "mixer.local"])

  private func status(_ change: (inout WebAccess.Claim) -> Void) -> Int? {
    var claim = WebAccess.Claim(hosts: ["localhost:9001"], port: 9001)
    change(&claim)
    return Self.access.refusal(of: claim)?.status
  }

  @Test(arguments: [
    "localhost:9001", "127.0.0.1:9001", "[::1]:9001", "LOCALHOST:9001", "mixer.local:9001",
  ])
  func `this machine's own names pass`(host: String) {
    #expect(status { $0.hosts = [host] } == nil)
    #expect(status { $0.origins = ["http://" + host] } == nil)
  }

  @Test(arguments: [
    "evil.example:9001", "localhost", "localhost:80", "localhost:", "localhost:+9001",
    "localhost:9001:9001",
    "127.0.0.1.evil.example:9001", "[::1", "", "localhost:9001/", "192.168.1.2:9001",
    " localhost:9001",
  ])
  func `a foreign Host is refused, and so is a foreign Origin`(host: String) {
    #expect(status { $0.hosts = [host] } == 403)
    #expect(status { $0.origins = ["http://" + host] } == 403)
  }

  @Test func `the name that mDNS has given this machine passes, and no other number of it`() {
    func change(_ host: String, _ name: String?) -> (inout WebAccess.Claim) -> Void {
      {
        ($0.hosts, $0.announcedName) = ([host], name)
        ($0.localAddress, $0.peer) = ("192.168.1.2", "192.168.1.7")
        $0.target = "/?token=\(Self.token)"
      }
    }
    #expect(status(change("mixer-2.local:9001", "mixer-2.local")) == nil)
    #expect(status(change("mixer-3.local:9001", "mixer-2.local")) == 403)
    #expect(status(change("mixer-2.local:9001", nil)) == 403)
    #expect(status(change(":9001", nil)) == 403)
  }

  @Test func `a request has exactly one Host`() {
    #expect(status { $0.hosts = [] } == 403)
    #expect(status { $0.hosts = ["localhost:9001", "localhost:9001"] } == 403)
  }

  @Test(arguments: ["null", "https://localhost:9001", "file://", "localhost:9001", ""])
  func `an Origin of another kind is refused`(origin: String) {
    #expect(status { $0.origins = [origin] } == 403)
  }

  @Test func `a rebound name is refused even with the token`() {
    #expect(
      status {
        $0.hosts = ["rebound.example:9001"]
        $0.peer = "192.168.1.7"
        $0.localAddress = "192.168.1.2"
        $0.target = "/?token=\(Self.token)"
      } == 403
    )
  }

  @Test(arguments: [
    ("/", [] as [String], 401 as Int?), ("/?token=\(token)", [], nil),
    ("/?VALUE&token=\(token)", [], nil),
    ("/", ["Bearer \(token)"], nil), ("/", ["bearer \(token)"], nil),
    ("/", ["Basic \(token)"], 401),
    ("/?token=", [], 401), ("/?token=0", [], 401), ("/?token=\(WebToken())", [], 401),
    ("/?token=\(token)x", [], 401), ("/?token=\(token)&token=x", [], 401),
    ("/?token=\(token)", ["Bearer x"], 401), ("/token=\(token)", [], 401),
    ("/?xtoken=\(token)", [], 401),
  ])
  func `a peer in the network needs the token`(
    target: String,
    authorizations: [String],
    expected: Int?
  ) {
    let answer = status {
      $0.hosts = ["192.168.1.2:9001"]
      $0.peer = "192.168.1.7"
      $0.localAddress = "192.168.1.2"
      $0.target = target
      $0.authorizations = authorizations
    }
    #expect(answer == expected)
  }

  @Test func `localhost is no name for an address of the network`() {
    #expect(
      status {
        $0.peer = "192.168.1.7"
        $0.localAddress = "192.168.1.2"
        $0.target = "/?token=\(Self.token)"
      } == 403
    )
  }

  @Test func `tokens have 128 bits, and no two are the same`() {
    let tokens = (0..<1_000).map { _ in WebToken().description }
    #expect(Set(tokens).count == 1_000)
    #expect(tokens.allSatisfy { $0.utf8.count == 32 })
  }

  @Test func `a request's query has no token`() {
    let request = WebRequest(target: "/a%20b?VALUE&token=secret#here", peer: "::1")
    #expect(request == WebRequest(path: "/a%20b", query: ["VALUE"], peer: "::1"))
    #expect(WebRequest(target: "http://elsewhere/", peer: "::1") == nil)
    #expect(WebRequest(target: "*", peer: "::1") == nil)
  }
}
