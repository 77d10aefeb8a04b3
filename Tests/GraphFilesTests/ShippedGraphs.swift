// SPDX-License-Identifier: MIT

import Testing

@testable import GraphFiles

/// The graph files of the repository.
enum ShippedGraphs {
  static let names = [
    "dj-controller", "dj-split", "every-program", "inter-app", "kiosk", "latency-loop",
    "live-monitor", "two-cards", "two-machines", "voice-duck",
  ]

  static func path(_ name: String) -> String {
    repositoryPath("graphs/\(name).yaml")
  }

  /// The path of a file of the repository, found from where this file was compiled.
  static func repositoryPath(_ path: String, from file: String = #filePath) -> String {
    file.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
      .joined(separator: "/") + "/" + path
  }
}

extension FileProbe {
  /// Takes every file for a stereo one.
  static let everythingExists = FileProbe { _ in .readable(channels: 2) }
}

@Suite("Shipped graphs")
struct ShippedGraphTests {
  @Test("each one has no faults", arguments: ShippedGraphs.names)
  func parses(name: String) throws {
    let graph = try GraphFile.load(path: ShippedGraphs.path(name), files: .everythingExists)
    #expect(!graph.routes.isEmpty)
  }

  @Test(
    "each mapping file for a controller has no faults",
    arguments: ["ddj-400", "generic", "inpulse-200", "nanokontrol2"]
  )
  func mappingFile(name: String) throws {
    let text = Marked.soundGraph + "controls: {midi: {box: {device: Box, mapping: \(name).yaml}}}\n"
    let path = ShippedGraphs.path("any")
    let graph = try GraphFile.parse(text, path: path, files: .everythingExists)
    #expect(try #require(graph.controllers.first).mappings.count >= 5)
  }
}
