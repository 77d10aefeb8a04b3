// SPDX-License-Identifier: MIT

/// The key to a web server for peers that are not on this machine: 128 random bits in hexadecimal.
///
/// Pure value: [any-thread].
package struct WebToken: Sendable, CustomStringConvertible {
  private let digits: [UInt8]

  /// Makes a token that nobody can guess.
  package init() {
    var random = SystemRandomNumberGenerator()
    let words = [random.next() as UInt64, random.next()]
    let text = words.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    self.init(digits: text.joined())
  }

  /// Makes the token that stands in a URL as these digits.
  init(digits: String) { self.digits = Array(digits.utf8) }

  /// The token as it stands in a URL.
  package var description: String { String(decoding: digits, as: UTF8.self) }

  /// Whether a text is the token, found in the same time for all texts of its length.
  package func matches(_ text: some StringProtocol) -> Bool {
    let others = Array(text.utf8)
    guard others.count == digits.count else { return false }
    return zip(digits, others).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

/// The rules of access to a web server.
///
/// A page of another site may reach the server through the user's browser. Its name for the server, or its origin, gives it away.
///
/// Pure value: [any-thread].
struct WebAccess: Sendable {
  /// The parts of a request that say who may have sent it.
  struct Claim: Sendable {
    /// The values of all `Host` headers.
    var hosts: [String] = []
    /// The values of all `Origin` headers.
    var origins: [String] = []
    /// The values of all `Authorization` headers.
    var authorizations: [String] = []
    /// The values of all `Cookie` headers.
    var cookies: [String] = []
    /// The target with its query.
    var target = "/"
    /// The address at which the server was reached.
    var localAddress = "127.0.0.1"
    /// The server's port.
    var port = 80
    /// The address of the other side.
    var peer = "127.0.0.1"
    /// The name under which mDNS announces this machine now, in lower case; nil for none.
    var announcedName: String?
    /// Whether a program of the host's own user, or of root, is at the other side; it counts on this machine alone.
    var isOfUser = true
    /// Whether the connection is encrypted.
    var isSecure = false

    /// Whether the user is at the other side, who needs no key.
    var isUser: Bool { isOfUser && WebAccess.isLoopback(peer) }
  }

  /// The proof that a peer in the network has to give.
  enum Proof: Sendable {
    /// A token with each request; without it there is no answer.
    case token(WebToken)
    /// The cookie of a session; who has none reaches only what is for everybody.
    case sessions(WebTokens)
  }

  /// The proof for peers that are not on this machine.
  let proof: Proof
  /// The names of this machine in its network, in lower case.
  let names: Set<String>

  /// The answer to a request that is refused; nil for one that may pass.
  func refusal(of claim: Claim) -> WebResponse? {
    guard claim.hosts.count == 1, isOurs(claim.hosts[0], claim) else {
      return .sentence(
        "the header Host must name this machine by its address or name, and the port \(claim.port)",
        status: 403,
      )
    }
    guard claim.origins.allSatisfy({ isOurs(origin: $0, claim) }) else {
      return .sentence("the header Origin names another site", status: 403)
    }
    if case .token(let token) = proof, !claim.isUser, !Self.has(token, claim) {
      return .sentence(
        "a token is needed: open the address that 'multiroute run --lan' prints",
        status: 401,
        headers: ["WWW-Authenticate": "Bearer"],
      )
    }
    return nil
  }

  /// The visitor behind a request that may pass; nil for somebody whom nobody has let in.
  func visitor(of claim: Claim) -> WebVisitor? {
    if claim.isUser { return .user }
    switch proof {
    case .token: return .user
    case .sessions(let tokens):
      let name = WebRequest.cookieName(ofPort: claim.port) + "="
      let secrets = claim.cookies.flatMap { $0.split(separator: ";") }
        .map { $0.drop { $0 == " " } }.filter { $0.hasPrefix(name) }
      // Two of one name are a trick: a browser sends one.
      guard secrets.count == 1 else { return nil }
      return tokens.visitor(withSecret: secrets[0].dropFirst(name.count))
    }
  }

  /// The token in the header `Authorization`; nil without exactly one.
  static func bearer(_ claim: Claim) -> String? {
    let tokens = bearers(claim)
    return tokens.count == 1 ? String(tokens[0]) : nil
  }

  /// Whether an address is one of this machine alone.
  static func isLoopback(_ address: String) -> Bool {
    address.hasPrefix("127.") || address == "::1" || address.hasPrefix("::ffff:127.")
  }

  private static func bearers(_ claim: Claim) -> [Substring] {
    claim.authorizations.filter { $0.lowercased().hasPrefix("bearer ") }
      .map { $0.dropFirst("bearer ".count) }
  }

  private static func has(_ token: WebToken, _ claim: Claim) -> Bool {
    let query = claim.target.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    let inQuery = query.split(separator: "&").filter { $0.hasPrefix("token=") }
      .map { $0.dropFirst("token=".count) }
    let tokens = inQuery + bearers(claim)
    return tokens.count == 1 && token.matches(tokens[0])
  }

  private func isOurs(origin: String, _ claim: Claim) -> Bool {
    let scheme = claim.isSecure ? "https://" : "http://"
    guard origin.lowercased().hasPrefix(scheme) else { return false }
    return isOurs(String(origin.dropFirst(scheme.count)), claim)
  }

  private func isOurs(_ host: String, _ claim: Claim) -> Bool {
    guard let (name, port) = Self.parts(of: host, usualPort: claim.isSecure ? 443 : 80),
      port == claim.port
    else { return false }
    if name == claim.localAddress || names.contains(name) || name == claim.announcedName {
      return true
    }
    return Self.isLoopback(claim.localAddress) && ["localhost", "127.0.0.1", "::1"].contains(name)
  }

  /// The name and the port of a host such as `localhost:9001` or `[::1]:9001`; nil for one that is badly written.
  private static func parts(
    of host: String,
    usualPort: Int,
  ) -> (name: String, port: Int)? {
    let name: Substring
    let rest: Substring
    if host.hasPrefix("[") {
      guard let end = host.firstIndex(of: "]") else { return nil }
      name = host[host.index(after: host.startIndex)..<end]
      rest = host[host.index(after: end)...]
    } else {
      name = host.prefix { $0 != ":" }
      rest = host[name.endIndex...]
    }
    guard !rest.isEmpty else { return (name.lowercased(), usualPort) }
    let digits = rest.dropFirst().utf8
    guard rest.hasPrefix(":"), digits.allSatisfy({ (0x30...0x39).contains($0) }),
      let port = Int(rest.dropFirst())
    else { return nil }
    return (name.lowercased(), port)
  }
}
