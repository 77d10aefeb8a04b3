// SPDX-License-Identifier: MIT

extension GraphFile {
  /// A node in the graph: a source, or an effect in a chain.
  public struct NodeUse: Sendable, Equatable {
    /// The name of its JACK client, or the name that its node file gives it.
    public var name: String
    /// Whether it is started again when it ends.
    public var restart = Restart.once
    /// Whether it starts bypassed; effects only.
    public var isBypassed = false

    /// Makes a use of a node that is started again once.
    public init(name: String) { self.name = name }
  }
}

extension GraphFile.NodeUse {
  /// Whether a node is started again when it ends; the raw value is the name in the file.
  public enum Restart: String, Sendable, CaseIterable {
    /// Never.
    case never
    /// The first time.
    case once
    /// Each time, waiting longer from one to the next.
    case always
  }
}

extension GraphFile {
  /// The most bytes of a client's name in JACK.
  static let nodeNameLimit = 63

  /// Every use of a node, with the source or route it is for.
  public var nodeUses: [(place: String, use: NodeUse)] {
    sources.flatMap { source in
      var uses = source.inserts.map { (source.name, $0) }
      if case .node(let use) = source.kind { uses.insert((source.name, use), at: 0) }
      return uses
    } + routes.flatMap { route in route.inserts.map { (route.name, $0) } }
  }
}
