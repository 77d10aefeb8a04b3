// SPDX-License-Identifier: MIT

import Testing

@testable import GraphFiles
@testable import Host

/// The places at which an adopted client is heard, by its own connections and its user's.
struct AdoptedClientTests {
  private static let second: UInt64 = 1_000_000_000

  private func client(routes: [String] = []) -> AdoptedClient {
    var rule = GraphFile.Adoption()
    rule.routes = routes
    return AdoptedClient(
      name: "app",
      rule: rule,
      ports: ["app:out_1", "app:out_2"],
      nowNanoseconds: 10 * Self.second,
    )
  }

  @Test
  func `each output has a channel, and feeds the strip once it was connected`() {
    var client = client()
    #expect(client.channels == 2)
    #expect(!client.feedsStrip("app:out_1"))
    let isElsewhere = client.place("app:out_1", at: "card:4", nowNanoseconds: 11 * Self.second)
    #expect(isElsewhere)
    #expect(client.feedsStrip("app:out_1") && !client.feedsStrip("app:out_2"))
    #expect(client.matrix(to: [["card:3"], ["card:4"]]) == [[0, 0], [1, 0]])
    #expect(client.matrix(to: [["card:1"], ["card:2"]]) == nil)
    client.add(ports: ["app:out_3"])
    #expect(client.channels == 3)
  }

  @Test
  func `connections that come together add up, a later one moves`() {
    var client = client()
    _ = client.place("app:out_1", at: "card:1", nowNanoseconds: 11 * Self.second)
    _ = client.place("app:out_1", at: "card:2", nowNanoseconds: 11 * Self.second)
    #expect(client.destinations["app:out_1"] == ["card:1", "card:2"])
    #expect(!client.isPlacedByHand)
    _ = client.place("app:out_1", at: "card:3", nowNanoseconds: 60 * Self.second)
    #expect(client.destinations["app:out_1"] == ["card:3"])
    #expect(client.isPlacedByHand)
    let again = client.place("app:out_1", at: "card:3", nowNanoseconds: 90 * Self.second)
    #expect(!again)
  }

  @Test
  func `its own connections count less than the graph's routes, its user's count more`() {
    var client = client(routes: ["main"])
    #expect(client.feedsStrip("app:out_1"))
    let byItself = client.place("app:out_1", at: "card:3", nowNanoseconds: 11 * Self.second)
    #expect(!byItself && client.followsRule)
    let byHand = client.place("app:out_1", at: "card:3", nowNanoseconds: 20 * Self.second)
    #expect(byHand && !client.followsRule)
  }

  @Test
  func `a client that comes back keeps its user's placement, whatever its own connections`() {
    var client = client()
    client.restore(["out_1": ["card:3"]], byHand: true)
    let byItself = client.place("app:out_1", at: "card:1", nowNanoseconds: 11 * Self.second)
    #expect(!byItself)
    #expect(client.destinations == ["app:out_1": ["card:3"]])
    #expect(client.placements == ["out_1": ["card:3"]])
  }

  @Test(arguments: [("mpv", true), ("/usr/bin/mpv", true), ("vlc", false), (nil, false)])
  func `a rule finds a program by its file's name or path`(path: String?, matches: Bool) throws {
    var graph = GraphFile(path: "test.yaml")
    var byName = GraphFile.Adoption()
    byName.executable = .name("mpv")
    graph.adoptions = [byName]
    #expect((graph.adoption(of: "client") { path } != nil) == matches)
    byName.executable = .pattern(try PortPattern("/usr/(local/)?bin/mpv|mpv"))
    graph.adoptions = [byName]
    #expect((graph.adoption(of: "client") { path } != nil) == matches)
    graph.adoptions.append(GraphFile.Adoption())
    #expect(graph.adoption(of: "client") { path } != nil)
  }
}
