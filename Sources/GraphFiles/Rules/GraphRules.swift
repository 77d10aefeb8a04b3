// SPDX-License-Identifier: MIT

/// Checks what the parts of a graph say about each other.
///
/// Works on graphs with faults too, so that one run reports everything; names and values that were
/// reported as faulty themselves are passed over.
struct GraphRules {
  /// Parts whose own faults make conclusions from them worthless.
  struct FaultyParts {
    var isSessionFaulty = false
    var routes: Set<String> = []
  }

  let graph: GraphFile
  let faulty: FaultyParts
  let map: SourceMap
  let log: DiagnosticLog
  let routes: [String: GraphFile.Route]
  let sources: [String: GraphFile.Source]

  /// - Parameters:
  ///   - graph: The graph with the entries of the file at their indices.
  ///   - faulty: Parts to draw no conclusions from.
  ///   - root: The document that the graph was read from.
  ///   - log: Takes the faults.
  init(_ graph: GraphFile, faulty: FaultyParts, root: YAMLNode, log: DiagnosticLog) {
    self.graph = graph
    self.faulty = faulty
    self.log = log
    map = SourceMap(root: root)
    routes = Dictionary(graph.routes.map { ($0.name, $0) }) { first, _ in first }
    sources = Dictionary(graph.sources.map { ($0.name, $0) }) { first, _ in first }
  }

  func check() {
    checkCategory()
    checkDirections()
    checkReferences()
    checkPorts()
    checkSends()
    checkTones()
    checkRecorders()
    checkHelpers()
    checkHelperResources()
    checkFallbacks()
    checkNodes()
  }

  /// Whether what `route` says of itself can be relied on.
  func isSound(_ route: GraphFile.Route) -> Bool {
    !faulty.routes.contains(route.name)
  }
}
