// SPDX-License-Identifier: MIT

import Testing

@testable import GraphFiles

@Suite("Rules for adopted clients")
struct AdoptionRuleTests {
  private static func graph(_ rules: String...) throws -> GraphFile {
    let list = rules.map { "- {\($0), session: {preset: player}}\n" }.joined()
    return try GraphFile.parse(
      Marked.soundGraph + "adopt:\n" + list,
      path: "g.yaml",
      files: .everythingExists,
    )
  }

  /// The place of the rule for a client in the list.
  private static func rule(_ graph: GraphFile, _ client: String, _ path: String?) -> Int? {
    graph.adoption(of: client) { path }.flatMap { graph.adoptions.firstIndex(of: $0) }
  }

  @Test func `the first rule counts whose client and program match`() throws {
    let graph = try Self.graph(
      "gain: -1 dB, client: mpv",
      "gain: -2 dB, client: /fire.*/, executable: /usr/bin/firefox",
      "gain: -3 dB, executable: firefox",
      "gain: -4 dB, executable: '/.*\\/games\\/.*/'",
    )
    #expect(Self.rule(graph, "mpv", nil) == 0)
    #expect(Self.rule(graph, "mpv", "/usr/bin/firefox") == 0)
    #expect(Self.rule(graph, "firefox", "/usr/bin/firefox") == 1)
    #expect(Self.rule(graph, "web", "/usr/bin/firefox") == 2)
    #expect(Self.rule(graph, "firefox", "/opt/firefox") == 2)
    #expect(Self.rule(graph, "firefox", "firefox") == 2)
    #expect(Self.rule(graph, "tux", "/usr/games/tux") == 3)
    for (client, path) in [
      ("mpv2", "/usr/bin/mpv"), ("tux", "/usr/bin/tux"), ("firefox", nil), ("", ""), ("tux", "/"),
    ] {
      #expect(Self.rule(graph, client, path) == nil, "\(client) \(path ?? "-")")
    }
  }

  @Test func `a slash alone is a name, and two are a pattern of nothing`() throws {
    let graph = try Self.graph("client: /")
    #expect(Self.rule(graph, "/", nil) == 0 && Self.rule(graph, "", nil) == nil)
    #expect(Self.rule(graph, "mpv", nil) == nil)
  }

  @Test func `a rule without client and program matches all others, known or not`() throws {
    let graph = try Self.graph("client: mpv", "gain: -3 dB")
    #expect(graph.adoptions.map(\.isDefault) == [false, true])
    #expect(Self.rule(graph, "mpv", nil) == 0)
    #expect(Self.rule(graph, "tux", nil) == 1 && Self.rule(graph, "tux", "/usr/bin/tux") == 1)
  }

  @Test func `a program is looked up once, and only for a rule that asks for it`() throws {
    let graph = try Self.graph(
      "client: mpv",
      "gain: -1 dB, executable: a",
      "gain: -2 dB, executable: b",
    )
    for (client, path, expected) in [("mpv", "/bin/a", 0), ("tux", "/bin/b", 1), ("tux", nil, 1)] {
      var count = 0
      _ = graph.adoption(of: client) {
        count += 1
        return path
      }
      #expect(count == expected)
    }
  }
}
