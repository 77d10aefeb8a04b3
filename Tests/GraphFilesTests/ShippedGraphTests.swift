// SPDX-License-Identifier: MIT

import Testing

@testable import GraphFiles

@Suite("Shipped graphs")
struct ShippedGraphTests {
  @Test("each one has no faults", arguments: ShippedGraphs.names)
  func parses(name: String) throws {
    let graph = try GraphFile.load(path: ShippedGraphs.path(name), files: .everythingExists)
    #expect(!graph.routes.isEmpty)
  }
}
