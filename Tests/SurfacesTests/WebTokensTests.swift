// SPDX-License-Identifier: MIT

import ControlProtocol
import FoundationEssentials
import Synchronization
import Testing

@testable import Surfaces

/// The keys to the page, with a clock that the test sets.
@Suite
struct WebTokensTests {
  private final class Clock: Sendable {
    let seconds = Atomic(1_000_000)
    let changes = Atomic(0)

    var now: Int { seconds.load(ordering: .relaxed) }

    func wait(_ time: Int) { seconds.add(time, ordering: .relaxed) }

    func tokens(_ kept: WebTokens.Kept = .init()) -> WebTokens {
      WebTokens(kept: kept, nowSeconds: { [self] in now }) { [self] in
        changes.add(1, ordering: .relaxed)
      }
    }
  }

  private let clock = Clock()

  @Test func `a token opens one session, whose secret is another`() throws {
    let tokens = clock.tokens()
    let made = try #require(tokens.make(role: .watch, label: "phone"))
    let secret = try #require(tokens.spend(made.token.description))
    #expect(tokens.spend(made.token.description) == nil)
    #expect(tokens.visitor(withSecret: made.token.description) == nil)
    #expect(tokens.spend(secret.description) == nil)
    let visitor = WebVisitor(token: made.id, rights: WebRights(role: .watch))
    #expect(tokens.visitor(withSecret: secret.description) == visitor)
    #expect(tokens.visitor(withSecret: WebToken().description) == nil)
    #expect(tokens.visitor(withSecret: "") == nil)
  }

  @Test func `a token ends after 10 minutes`() throws {
    let tokens = clock.tokens()
    let early = try #require(tokens.make(role: .all))
    let late = try #require(tokens.make(role: .all))
    clock.wait(599)
    #expect(tokens.spend(early.token.description) != nil)
    clock.wait(1)
    #expect(tokens.spend(late.token.description) == nil)
    #expect(tokens.list.tokens.map(\.id) == [early.id])
  }

  @Test func `a session ends after 30 days without use, and each use counts`() throws {
    let tokens = clock.tokens()
    let made = try #require(tokens.make(role: .all))
    let secret = try #require(tokens.spend(made.token.description)).description
    for _ in 0..<3 {
      clock.wait(29 * 86_400)
      #expect(tokens.visitor(withSecret: secret) != nil)
    }
    clock.wait(30 * 86_400)
    #expect(tokens.visitor(withSecret: secret) == nil)
    #expect(tokens.list.tokens.isEmpty)
  }

  @Test func `a key that is taken back opens nothing, before its use and after it`() throws {
    let tokens = clock.tokens()
    let unused = try #require(tokens.make(role: .all))
    let used = try #require(tokens.make(role: .all))
    let secret = try #require(tokens.spend(used.token.description)).description
    #expect(tokens.revoke(unused.id) && tokens.revoke(used.id))
    #expect(!tokens.revoke(unused.id))
    #expect(tokens.spend(unused.token.description) == nil)
    #expect(tokens.visitor(withSecret: secret) == nil)
  }

  @Test func `a key for one route follows it to another name`() throws {
    let tokens = clock.tokens()
    let mine = try #require(tokens.make(role: .mix, route: "singer"))
    let other = try #require(tokens.make(role: .mix, route: "drums"))
    let secret = try #require(tokens.spend(mine.token.description)).description
    let changes = clock.changes.load(ordering: .relaxed)
    tokens.rename(routes: ["singer": "voice", "guitar": "strings"])
    #expect(clock.changes.load(ordering: .relaxed) == changes + 1)
    #expect(tokens.visitor(withSecret: secret)?.rights == WebRights(role: .mix, route: "voice"))
    #expect(tokens.list.tokens.map(\.route) == ["voice", "drums"])
    #expect(tokens.kept == clock.tokens(tokens.kept).kept)
    tokens.rename(routes: ["guitar": "strings"])
    #expect(clock.changes.load(ordering: .relaxed) == changes + 1)
    _ = other
  }

  @Test func `there are 64 keys at most, and no number is given twice`() throws {
    let tokens = clock.tokens()
    let made = (0..<64).compactMap { _ in tokens.make(role: .all) }
    #expect(made.count == 64 && tokens.make(role: .all) == nil)
    #expect(tokens.revoke(made[63].id))
    #expect(tokens.make(role: .all)?.id == 65)
    clock.wait(600)
    #expect(tokens.make(role: .all)?.id == 66)
  }

  @Test func `a file has only digests, and gives the sessions back`() throws {
    let tokens = clock.tokens()
    let made = try #require(tokens.make(role: .mix, route: "monitor", label: "Ana"))
    let unused = try #require(tokens.make(role: .all))
    let secret = try #require(tokens.spend(made.token.description)).description
    #expect(clock.changes.load(ordering: .relaxed) == 3)
    let file = try JSONEncoder().encode(tokens.kept)
    let text = String(decoding: file, as: UTF8.self)
    #expect(!text.contains(made.token.description))
    for hidden in [unused.token.description, secret] {
      #expect(!text.contains(hidden) && text.contains(Self.digest(hidden)))
    }
    let kept = try JSONDecoder().decode(WebTokens.Kept.self, from: file)
    let later = clock.tokens(kept)
    let rights = WebRights(role: .mix, route: "monitor")
    #expect(later.visitor(withSecret: secret) == WebVisitor(token: made.id, rights: rights))
    #expect(later.spend(made.token.description) == nil)
    #expect(later.spend(unused.token.description) != nil)
    #expect(later.make(role: .all)?.id == 3)
  }

  /// The digits as a file has them.
  private static func digest(_ text: String) -> String {
    let json = (try? JSONEncoder().encode(WebDigest(of: text))) ?? Data()
    return String(decoding: json.dropFirst().dropLast(), as: UTF8.self)
  }

  @Test func `digests are SHA-256 (FIPS 180-2, appendix B.1)`() {
    #expect(
      Self.digest("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )
  }
}
