// SPDX-License-Identifier: MIT

/// Connections that users made and removed by hand, as patch rules. [any-thread]
extension GraphFile {
  /// The state of a connection by hand; the raw value is its name in edits.
  public enum PatchState: String, Sendable, CaseIterable {
    /// The host makes it.
    case connect
    /// The host does not make it, although others ask for it.
    case omit
    /// No rule names its two ports.
    case free
  }

  /// The rule that decides about a connection, by the names of its ports; nil where none matches.
  public func patchRule(for source: String, to destination: String) -> PatchRule? {
    let matching = patches.filter { $0.kind != .single && $0.matches(source, to: destination) }
    return matching.first { $0.kind == .deny } ?? matching.last
  }

  /// Gives a connection a state: rules for just these two ports go, and one is added where the others do not do the same.
  mutating func setPatch(_ source: String, to destination: String, _ state: PatchState) {
    guard !hasPatch(source, to: destination, state) else { return }
    let exact = exactPatches(source, to: destination)
    for index in exact.reversed() { patches.remove(at: index) }
    if let kind = state.kind, !hasPatch(source, to: destination, state) {
      patches.append(PatchRule(kind, source, to: destination))
    }
  }

  /// Whether a connection has a state already.
  func hasPatch(_ source: String, to destination: String, _ state: PatchState) -> Bool {
    guard let kind = state.kind else { return exactPatches(source, to: destination).isEmpty }
    return patchRule(for: source, to: destination)?.kind == kind
  }

  /// The indices of the rules for just these two ports that a user's act replaces.
  func exactPatches(_ source: String, to destination: String) -> [Int] {
    patches.indices.filter {
      [.connect, .omit].contains(patches[$0].kind)
        && patches[$0].isExactly(source, to: destination)
    }
  }
}

extension GraphFile.PatchState {
  /// The kind of rule that gives a connection the state.
  var kind: GraphFile.PatchRule.Kind? {
    switch self {
    case .connect: .connect
    case .omit: .omit
    case .free: nil
    }
  }
}

extension GraphTextEditor {
  /// Gives a connection a state in the text, as ``GraphFile/setPatch(_:to:_:)`` does in a graph. [any-thread]
  mutating func setPatch(
    _ source: String,
    to destination: String,
    _ state: GraphFile.PatchState,
    in graph: GraphFile,
  ) throws(GraphTextFault) {
    var changed = graph
    changed.setPatch(source, to: destination, state)
    for index in graph.exactPatches(source, to: destination).reversed() {
      try removeEntry(index, of: "patches")
    }
    guard let rule = changed.patches.last, rule.isExactly(source, to: destination),
      rule.kind == state.kind
    else { return }
    try append(rule.node, to: "patches", at: [])
  }
}
