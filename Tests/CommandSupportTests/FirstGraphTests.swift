// SPDX-License-Identifier: MIT

import GraphFiles
import Testing

@testable import CommandSupport

/// First graphs, for all combinations of answers.
struct FirstGraphTests {
  private static let outputs: [FirstGraph.Place] = [
    FirstGraph.usualMain, .device("hw:USB,0"), .ports([#"it's "one", {two}:out #1"#]),
  ]
  private static let inputs: [FirstGraph.Place?] = [
    nil, FirstGraph.usualInput, .device("hw:PCH,1"),
  ]
  private static let programs = [[], ["mpv", #"a "b": [c], 'd' # e"#]]

  /// Every file has two channels.
  private static let files = FileProbe { _ in .readable(channels: 2) }

  @Test(arguments: FirstGraph.Use.allCases)
  func `check accepts the graph of any answers`(_ use: FirstGraph.Use) throws {
    for main in Self.outputs {
      for headphones in [nil] + Self.outputs.map(Optional.some) where headphones != main {
        for input in Self.inputs {
          for programs in Self.programs {
            for hasPhone in [false, true] {
              for media in [nil, "/shared/media"] {
                let first = FirstGraph(
                  use: use,
                  main: main,
                  headphones: headphones,
                  input: input,
                  programs: programs,
                  hasPhone: hasPhone,
                  media: media,
                )
                try Self.check(first)
              }
            }
          }
        }
      }
    }
  }

  private static func check(_ first: FirstGraph) throws {
    let graph = try GraphFile.parse(first.text, path: "first.yaml", files: files)
    let names = graph.routes.map(\.name)
    #expect(names.first == "main", "\(first.text)")
    let canHaveTwo = first.use == .dj || first.use == .musician
    #expect(
      names.contains("headphones") == (canHaveTwo && first.headphones != nil),
      "\(first.text)"
    )
    // The cue of the headphones is not for the room.
    #expect(graph.routes.allSatisfy { $0.fallback == nil }, "\(first.text)")
    #expect(graph.surfaces.web?.lan == first.hasPhone, "\(first.text)")
    if first.use == .musician || first.use == .measuring {
      #expect(names.contains("input") == (first.input != nil), "\(first.text)")
      #expect(graph.sends.isEmpty == (first.input == nil), "\(first.text)")
    }
    if first.use == .dj {
      #expect(graph.sends.isEmpty == (first.media == nil), "\(first.text)")
    }
    // A comment on each part explains it.
    #expect(first.text.split(separator: "\n").count { $0.contains("# ") } >= 8, "\(first.text)")
  }

  @Test func `programs that play now have a session each`() throws {
    let first = FirstGraph(use: .dj, programs: ["mpv"])
    let graph = try GraphFile.parse(first.text, path: "first.yaml", files: Self.files)
    let rules = graph.adoptions.map { "\($0)" }
    #expect(rules.contains { $0.contains("mpv") }, "\(rules)")
  }
}
