// SPDX-License-Identifier: MIT

extension GraphFile {
  /// A rule for connections between any ports, also of clients that have nothing to do with the host: an entry of `patches`.
  ///
  /// For one pair of ports the last `connect` or `omit` that matches counts, and a `deny` before all of them. Two rules are equal
  /// wherever they stand. Pure value: [any-thread].
  public struct PatchRule: Sendable {
    /// The most rules of a graph.
    public static let limit = 4_096

    /// The act of a rule; the raw value is the key that has its ports.
    public enum Kind: String, Sendable, CaseIterable {
      /// Outputs are connected to inputs.
      case connect
      /// The host does not make such connections itself, whatever else asks for them; others may.
      case omit
      /// Such connections are cut whenever anybody makes them.
      case deny
      /// Each of these ports has one connection at most: a new one takes the older away.
      case single
    }

    /// The times at which a connection is made again; the raw value is the name in the file.
    public enum Keep: String, Sendable, CaseIterable {
      /// When one of its ports appears; a user or program may take it away in between.
      case appear
      /// Also whenever a user or program has taken it away.
      case always
    }

    /// The ends at which a connection tolerates no other; the raw value is the name in the file.
    public enum Exclusive: String, Sendable, CaseIterable {
      /// Its output has no connections but those of the rule.
      case source
      /// Its input has none.
      case destination
      /// Neither has.
      case both
    }

    /// The act.
    public let kind: Kind
    /// The outputs; for `single` ports of either direction.
    public let source: PortSelector
    /// The inputs; nil for `single`.
    public let destination: PortTemplate?
    /// The times at which connections are made again.
    public let keep: Keep
    /// The ends at which its connections tolerate no others; nil for none.
    public let exclusive: Exclusive?
    /// The line of the file, counted from 1; 0 for a rule of no file.
    public let line: Int
    /// Finds the groups of a source's name, where the destination needs them.
    private let capturing: CompiledExpression?

    /// Makes a rule from its parts.
    ///
    /// - Throws: The fault of the pattern.
    init(
      _ kind: Kind,
      _ source: PortSelector,
      to destination: PortTemplate?,
      keep: Keep = .appear,
      exclusive: Exclusive? = nil,
      line: Int = 0,
    ) throws(PortPattern.Fault) {
      self.kind = kind
      self.source = source
      self.destination = destination
      self.keep = keep
      self.exclusive = exclusive
      self.line = line
      if case .pattern(let pattern) = source, destination?.highestGroup ?? 0 > 0 {
        capturing = try CompiledExpression(pattern.expression, isCapturing: true)
      } else {
        capturing = nil
      }
    }

    /// Makes a rule for two ports by their names.
    public init(_ kind: Kind, _ source: String, to destination: String) {
      self.kind = kind
      self.source = .name(source)
      self.destination = .selector(.name(destination))
      keep = .appear
      exclusive = nil
      line = 0
      capturing = nil
    }
  }
}

extension GraphFile.PatchRule: Equatable {
  /// Whether two rules do the same.
  public static func == (a: Self, b: Self) -> Bool {
    a.kind == b.kind && a.source == b.source && a.destination == b.destination
      && a.keep == b.keep && a.exclusive == b.exclusive
  }
}

/// Questions about ports. [any-thread]
extension GraphFile.PatchRule {
  /// The groups of the name of an output that the rule means; nil for another port.
  ///
  /// - Parameter names: The full name, and aliases.
  /// - Returns: The groups of the first name that matches; none where the destination needs none.
  public func groups(ofSource names: [String]) -> [String]? {
    for name in names {
      if let capturing {
        if let groups = capturing.captures(in: name) { return groups }
      } else if source.matches(name) {
        return []
      }
    }
    return nil
  }

  /// Whether the rule means a connection, by the full names of its ports.
  public func matches(_ source: String, to destination: String) -> Bool {
    guard let groups = groups(ofSource: [source]) else { return false }
    return self.destination?.selector(for: groups)?.matches(destination) ?? false
  }

  /// Whether the rule names two ports and nothing else.
  public var isExact: Bool {
    if case .name = source, case .selector(.name)? = destination { true } else { false }
  }

  /// Whether the rule names these two ports and nothing else.
  func isExactly(_ source: String, to destination: String) -> Bool {
    self.source == .name(source) && self.destination == .selector(.name(destination))
  }
}
