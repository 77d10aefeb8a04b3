// SPDX-License-Identifier: MIT

public import GraphFiles
internal import XML

/// Patch rules of a graph as a file of another program, and the rules that it cannot have.
///
/// Pure value: [any-thread].
public struct PatchExport: Sendable {
  /// A format of another program; the raw value is its name on the command line.
  public enum Format: String, Sendable, CaseIterable {
    /// The patch bay of qjackctl.
    case qjackctl
    /// A snapshot of aj-snapshot.
    case ajSnapshot = "aj-snapshot"
  }

  /// The text of the file.
  public let text: String
  /// The rules that were left out, by their lines in the graph.
  public let notes: [PatchFileFault]

  /// Writes rules.
  ///
  /// - Parameters:
  ///   - rules: The rules of a graph.
  ///   - format: The format of the file.
  ///   - name: The name of a patch bay.
  public init(_ rules: [GraphFile.PatchRule], as format: Format, name: String) {
    var notes: [PatchFileFault] = []
    let root: XMLElement
    switch format {
    case .qjackctl: root = Self.patchbay(rules, name: name, &notes)
    case .ajSnapshot: root = Self.snapshot(rules, &notes)
    }
    text = root.document(type: format == .qjackctl ? "patchbay" : nil)
    self.notes = notes
  }

  /// Tells why a rule is no connection of another program; nil for one that may be.
  static func fault(of rule: GraphFile.PatchRule, in program: String) -> String? {
    switch rule.kind {
    case .connect: nil
    case .omit, .deny, .single: "\(program) has no rule such as '\(rule.kind.rawValue)'"
    }
  }
}

/// Snapshots of aj-snapshot.
extension PatchExport {
  private static func snapshot(
    _ rules: [GraphFile.PatchRule],
    _ notes: inout [PatchFileFault],
  ) -> XMLElement {
    let root = XMLElement("aj-snapshot")
    let jack = XMLElement("jack")
    root.addChild(jack)
    var clients: [String: XMLElement] = [:]
    var ports: [String: XMLElement] = [:]
    for rule in rules {
      guard case .name(let source) = rule.source,
        case .selector(.name(let destination))? = rule.destination,
        fault(of: rule, in: "aj-snapshot") == nil, let colon = source.firstIndex(of: ":")
      else {
        let fault =
          fault(of: rule, in: "aj-snapshot") ?? "aj-snapshot knows ports by name only"
        notes.append(PatchFileFault(line: rule.line, message: "\(rule.text): \(fault)"))
        continue
      }
      if rule.exclusive != nil || rule.keep == .always {
        notes.append(
          PatchFileFault(
            line: rule.line,
            message:
              "\(rule.text): aj-snapshot has neither 'exclusive' nor 'keep'; the connection alone is written",
          )
        )
      }
      let client = String(source[..<colon])
      if clients[client] == nil {
        let made = XMLElement("client", [("name", client)])
        jack.addChild(made)
        clients[client] = made
      }
      if ports[source] == nil {
        let made = XMLElement("port", [("name", String(source[source.index(after: colon)...]))])
        clients[client]?.addChild(made)
        ports[source] = made
      }
      ports[source]?.addChild(XMLElement("connection", [("port", destination)]))
    }
    return root
  }
}
