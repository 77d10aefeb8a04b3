// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import GraphFiles

/// The text of a graph that is saved to another folder.
@Suite("The text of a graph in another folder")
struct MovedTextTests {
  private static let text = """
    multiroute: 1
    include: [rules.yaml, kiosk] # one of them is shipped
    routes:
      main: {type: lineOut, ports: [system:playback_1]}
    sources:
      a: {file: media/a.flac, loop: true} # one
      b:
        file: 'b, c.flac'
      c: {file: /full/c.flac}
      d: {file: ~/d.flac}
      e: {tone: {}}
    recorders: {set: {from: main, file: set.wav}}
    controls:
      midi: {box: {mapping: box.yaml}}
    surfaces: {web: {certificate: tls/page.pem, key: ../key.pem}}

    """

  private static func moved(_ text: String, to target: String) throws -> String {
    try GraphRevision.text(text, of: "/no-such/graphs/g.yaml", movedTo: target)
  }

  @Test("paths that begin in the graph's folder are written in full, and nothing else changes")
  func full() throws {
    var expected = Self.text
    for path in ["rules.yaml", "media/a.flac", "set.wav", "box.yaml", "tls/page.pem", "../key.pem"]
    {
      expected = expected.replacing(" \(path)", with: " /no-such/graphs/\(path)")
    }
    expected = expected.replacing("[rules.yaml", with: "[/no-such/graphs/rules.yaml")
      .replacing("'b, c.flac'", with: "\"/no-such/graphs/b, c.flac\"")
    #expect(try Self.moved(Self.text, to: "/no-such/home/own.yaml") == expected)
  }

  @Test("in the same folder the text stays")
  func same() throws {
    #expect(try Self.moved(Self.text, to: "/no-such/graphs/own.yaml") == Self.text)
  }

  @Test(
    "a path that stands for others too is refused, and an alias that is the path is written out"
  )
  func shared() throws {
    let text = """
      sources:
        a: {file: &one media/a.flac}
        b: {file: *one}

      """
    #expect(
      throws: GraphRevisionFault(
        description:
          "/no-such/graphs/g.yaml: sources.a.file: it is also the value of the alias '*one'; write that one out first"
      )
    ) { try Self.moved(text, to: "/no-such/home/g.yaml") }
    #expect(throws: GraphRevisionFault.self) {
      try Self.moved("sources: [", to: "/no-such/home/g.yaml")
    }
  }

  @Test("a shipped graph has the same files in another folder", arguments: ShippedGraphs.names)
  func shipped(name: String) throws {
    let path = ShippedGraphs.path(name)
    let target = FileManager.default.temporaryDirectory.path(percentEncoded: false) + "/own.yaml"
    let text = try GraphFile.text(ofFile: path)
    let moved = try GraphRevision.text(text, of: path, movedTo: target)
    let graph = try GraphFile.parse(text, path: path)
    let own = try GraphFile.parse(moved, path: target)
    func files(_ graph: GraphFile) -> [String] {
      graph.sources.compactMap { source in
        guard case .file(let file) = source.kind else { return nil }
        return URL(filePath: file.resolvedPath).resolvingSymlinksInPath()
          .path(percentEncoded: false)
      }
    }
    #expect(files(own) == files(graph))
    #expect(own.controllers.map(\.mappings) == graph.controllers.map(\.mappings))
    #expect(own.adoptions == graph.adoptions)
  }
}
