// SPDX-License-Identifier: MIT

internal import YAML

/// The keys of one entry of `patches`.
enum PatchKey: String, SectionKey {
  static let section = "patch rule"
  case connect, omit, deny, single, to, keep, exclusive

  /// The keys one of which every rule has.
  static let kinds: [(key: PatchKey, kind: GraphFile.PatchRule.Kind)] = [
    (.connect, .connect), (.omit, .omit), (.deny, .deny), (.single, .single),
  ]
}

extension GraphFile.PatchRule {
  /// Reads a rule; nil for a faulty one, whose faults are reported.
  init?(_ field: Field) {
    guard let section: Section<PatchKey> = field.section() else { return nil }
    let present = PatchKey.kinds.filter { section[$0.key] != nil }
    guard let first = present.first, present.count == 1, let ports = section[first.key] else {
      let names = PatchKey.kinds.map { "'\($0.key.rawValue)'" }.joined(separator: ", ")
      let fault =
        present.isEmpty
        ? "it does nothing"
        : "it has " + present.map { "'\($0.key.rawValue)'" }.joined(separator: " and ")
      section.log.error(
        at: section.position,
        "patch rule: \(fault); write one of \(names)",
      )
      return nil
    }
    let kind = first.kind
    let count = section.log.count
    let source = ports.portSelector()
    let destination = Self.destination(section, kind: kind, source: source)
    for key in [PatchKey.keep, .exclusive] where kind != .connect {
      section[key]?.error("only a rule with 'connect' has this key")
    }
    let keep: Keep = section[.keep]?.choice() ?? .appear
    let exclusive: Exclusive? = section[.exclusive]?.choice()
    guard section.log.count == count, let source else { return nil }
    do throws(PortPattern.Fault) {
      try self.init(
        kind,
        source,
        to: destination,
        keep: keep,
        exclusive: exclusive,
        line: field.position.line,
      )
    } catch {
      ports.error("the pattern '\(source)' cannot be used: \(error.description)")
      return nil
    }
  }

  private static func destination(
    _ section: Section<PatchKey>,
    kind: Kind,
    source: PortSelector?,
  ) -> PortTemplate? {
    guard kind != .single else {
      section[.to]?.error("a rule with 'single' names its ports there; remove 'to'")
      return nil
    }
    guard let field = section.required(.to, example: "system:playback_1") else { return nil }
    // Without its source, nothing is known of the groups.
    guard let source else { return nil }
    guard case .pattern(let pattern) = source else { return field.portTemplate(groups: nil) }
    let groups = (try? CompiledExpression(pattern.expression, isCapturing: true))?.groups
    return field.portTemplate(groups: groups ?? 0)
  }
}

/// Rules as text. [any-thread]
extension GraphFile.PatchRule {
  /// The rule as a graph file writes it, in one line.
  public var text: String { node.line }

  /// The rule in flow style.
  var node: YAMLValue {
    var keys = [(YAMLValue(kind.rawValue), YAMLValue.word(source.description))]
    if let destination { keys.append((YAMLValue("to"), YAMLValue.word(destination.text))) }
    if keep != .appear { keys.append((YAMLValue("keep"), YAMLValue(keep.rawValue))) }
    if let exclusive { keys.append((YAMLValue("exclusive"), YAMLValue(exclusive.rawValue))) }
    return YAMLValue.keys(keys)
  }

  /// Reads a rule as a graph file writes it.
  ///
  /// - Returns: The rule; nil for a text that is none.
  public init?(text: String) {
    let log = DiagnosticLog(file: "", text: text)
    guard let node = try? YAMLComposer.compose(text),
      let rule = Self(Field(name: "patches", node: node, log: log)), log.count == 0
    else { return nil }
    self = rule
  }
}

extension GraphFile.PatchRule {
  /// A text that is no rule. [any-thread]
  public struct Fault: Error, Sendable, Equatable, CustomStringConvertible {
    /// The fault, and what is allowed.
    public let description: String
  }

  /// Makes a rule that connects ports.
  ///
  /// - Parameters:
  ///   - source: The outputs, as a graph file writes them: a name, or a pattern between slashes.
  ///   - destination: The inputs.
  ///   - keep: The times at which connections are made again.
  ///   - exclusive: The ends at which they tolerate no others.
  /// - Throws: The first fault of the two texts.
  public init(
    connecting source: String,
    to destination: String,
    keep: Keep = .appear,
    exclusive: Exclusive? = nil,
  ) throws(Fault) {
    let log = DiagnosticLog(file: "", text: "")
    func field(_ name: String, _ text: String) -> Field {
      let node = YAMLNode(content: .scalar(text, isPlain: false), position: .start)
      return Field(name: name, node: node, log: log)
    }
    let from = field("connect", source).portSelector()
    let to = field("to", destination).portSelector()
    guard let from, let to, log.count == 0 else {
      throw Fault(description: log.errors?.diagnostics.first?.message ?? "no port")
    }
    do throws(PortPattern.Fault) {
      try self.init(.connect, from, to: .selector(to), keep: keep, exclusive: exclusive)
    } catch {
      throw Fault(description: error.description)
    }
  }
}
