// SPDX-License-Identifier: MIT

internal import Glibc
public import GraphFiles
internal import XML

/// The rules that a file of another program becomes, and the parts of it that a graph cannot have.
///
/// Pure value: [any-thread].
public struct PatchImport: Sendable {
  /// A format of another program; the raw value is its name.
  public enum Format: String, Sendable {
    /// The patch bay of qjackctl.
    case qjackctl
    /// A snapshot of aj-snapshot.
    case ajSnapshot = "aj-snapshot"
    /// The patch bay of qpwgraph.
    case qpwgraph
  }

  /// A rule with a comment for the graph.
  struct Entry: Sendable {
    var comment: String?
    var rule: GraphFile.PatchRule
  }

  /// The format of the file.
  public let format: Format
  /// The parts of the file that were left out, by line.
  public let notes: [PatchFileFault]
  let entries: [Entry]

  /// The rules.
  public var rules: [GraphFile.PatchRule] { entries.map(\.rule) }

  /// Reads a file of any known format, but no more of it than may be read.
  ///
  /// - Parameter file: The path; at most 4 MiB of UTF-8.
  /// - Throws: The fault because of which it cannot be read.
  public init(file: String) throws(PatchFileFault) {
    let descriptor = unsafe open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.systemFault() }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1_024)
    // One byte too many is read, and refused below.
    while bytes.count <= XMLTree.sizeLimit {
      let wanted = min(chunk.count, XMLTree.sizeLimit + 1 - bytes.count)
      let count = unsafe read(descriptor, &chunk, wanted)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Self.systemFault() }
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    try self.init(bytes)
  }

  private static func systemFault() -> PatchFileFault {
    // The buffer of glibc's strerror belongs to the calling thread.
    let reason = unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error \(errno)"
    return PatchFileFault(line: 1, message: "the file cannot be read: \(reason)")
  }

  /// Reads the bytes of a file of any known format.
  ///
  /// - Parameter bytes: At most 4 MiB of UTF-8.
  /// - Throws: The fault because of which it cannot be read.
  public init(_ bytes: [UInt8]) throws(PatchFileFault) {
    let root: XMLTree
    do {
      root = try XMLTree.read(bytes)
    } catch {
      throw PatchFileFault(line: error.line, message: error.message)
    }
    var collector = Collector()
    switch root.name {
    case "patchbay" where !root.children(named: "items").isEmpty:
      format = .qpwgraph
      collector.takeItems(root)
    case "patchbay":
      format = .qjackctl
      collector.takePatchbay(root)
    case "aj-snapshot":
      format = .ajSnapshot
      collector.takeSnapshot(root)
    default:
      throw PatchFileFault(
        line: root.line,
        message:
          "the file begins with <\(root.name.prefix(40))>; known are <patchbay> of qjackctl or "
          + "qpwgraph and <aj-snapshot> of aj-snapshot",
      )
    }
    entries = collector.entries
    notes = collector.notes
  }

  /// The text of a graph file with the rules.
  ///
  /// - Parameter source: The name of the file, for a comment.
  /// - Returns: The text, with comments for what was left out.
  public func graphText(source: String) -> String {
    var lines = ["# Connections of \(source.commentText), a file of \(format.rawValue)."]
    for note in notes { lines.append("# Left out, line \(note.line): \(note.message)") }
    lines += ["multiroute: 1", entries.isEmpty ? "patches: []" : "patches:"]
    for entry in entries {
      if let comment = entry.comment { lines.append("  # \(comment)") }
      lines.append("  - \(entry.rule.text)")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension PatchImport {
  /// Collects rules and notes.
  struct Collector {
    var entries: [Entry] = []
    var notes: [PatchFileFault] = []
    private var seen: Set<String> = []

    init() {}

    /// Adds a rule, unless it is there already or cannot be one; both texts as a graph file writes them.
    mutating func add(
      _ source: String,
      to destination: String,
      exclusive: GraphFile.PatchRule.Exclusive? = nil,
      keep: GraphFile.PatchRule.Keep = .appear,
      comment: String? = nil,
      line: Int,
    ) {
      guard entries.count < GraphFile.PatchRule.limit else {
        return note(line, "more than \(GraphFile.PatchRule.limit) rules; a graph has no more")
      }
      do throws(GraphFile.PatchRule.Fault) {
        let rule = try GraphFile.PatchRule(
          connecting: source,
          to: destination,
          keep: keep,
          exclusive: exclusive,
        )
        if seen.insert(rule.text).inserted { entries.append(Entry(comment: comment, rule: rule)) }
      } catch {
        note(line, error.description)
      }
    }

    /// Tells something that is left out.
    mutating func note(_ line: Int, _ message: String) {
      let note = PatchFileFault(line: line, message: message.commentText)
      if !notes.contains(note) { notes.append(note) }
    }
  }
}
