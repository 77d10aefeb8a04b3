// SPDX-License-Identifier: MIT

internal import Glibc
internal import YAML

/// Reads the policy files that a graph file includes, and those that these include.
///
/// Each file is read once. An earlier file counts more: the graph file itself, then its first policy file with all that this one
/// includes. Used by one reader at a time: [any-thread].
struct PolicyReader {
  /// Policy files inside each other.
  static let depthLimit = 8
  /// Policy files of one graph.
  static let countLimit = 32

  /// The files in the order in which they count.
  private(set) var files: [PolicyFile] = []
  /// The faults of the files.
  private(set) var logs: [DiagnosticLog] = []

  private let graphPath: String
  /// The true paths of all files that were read.
  private var seen: Set<String> = []
  /// The true paths of the files that are being read, the graph file first.
  private var chain: [String]

  /// Makes a reader without files.
  ///
  /// - Parameter graphPath: The graph file.
  init(graphPath: String) {
    self.graphPath = graphPath
    chain = [Self.truePath(graphPath)]
  }

  /// Reads the files of the list `include` of the graph file.
  mutating func read(_ field: Field?) {
    if let field { read(field, from: graphPath) }
  }

  private mutating func read(_ field: Field, from path: String) {
    let allowed = "a list of policy files, such as [kiosk]"
    for entry in field.list(allowed: allowed, limit: Self.countLimit) ?? [] {
      let allowed = "the path of a policy file, or the name of a shipped one"
      guard let name = entry.text(allowed: allowed),
        let found = entry.policyPath(name, from: path)
      else { continue }
      read(found, for: entry, from: path)
    }
  }

  private mutating func read(_ found: String, for entry: Field, from path: String) {
    let truePath = Self.truePath(found)
    if chain.contains(truePath) {
      return entry.error(
        "\(MessageText.quoted(found, limit: 400)) includes itself; remove one 'include'"
      )
    }
    guard seen.insert(truePath).inserted else { return }
    guard chain.count <= Self.depthLimit else {
      return entry.error(
        "policy files more than \(Self.depthLimit) deep; include fewer inside each other"
      )
    }
    guard seen.count <= Self.countLimit else {
      return entry.error("more than \(Self.countLimit) policy files; join some of them")
    }
    let text: String
    do {
      text = try GraphFileText.read(found, sizeLimit: GraphFile.sizeLimit)
    } catch {
      return entry.error("\(MessageText.quoted(found, limit: 400)): \(error.message)")
    }
    let place = "\(path):\(entry.position.line)"
    let log = DiagnosticLog(file: found, text: text, note: " (included by \(place))")
    logs.append(log)
    do {
      let root = try YAMLComposer.compose(text)
      guard let section = Section<PolicyKey>(root, log: log) else { return }
      _ = section.required(.multiroute, example: "\(GraphFile.formatVersion)")?.formatVersion()
      files.append(PolicyFile(section, path: found, root: root))
      guard let field = section[.include] else { return }
      chain.append(truePath)
      read(field, from: found)
      chain.removeLast()
    } catch {
      log.error(at: error.position, error.message)
    }
  }

  /// The path without links, by which files are told apart; the path itself where there is no such file.
  private static func truePath(_ path: String) -> String {
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}

extension GraphFile {
  /// Whether a text can be the name of a shipped policy: it has neither folder nor ending. [any-thread]
  static func isPolicyName(_ text: String) -> Bool {
    !text.contains("/") && !text.hasSuffix(".yaml")
  }
}

extension Field {
  /// The path of a policy file: beside the file that includes it, or the shipped one of that name.
  fileprivate func policyPath(_ name: String, from path: String) -> String? {
    let beside = MediaFiles(graphPath: path, probe: .disk).resolve(name)
    guard GraphFile.isPolicyName(name), !FileProbe.isFile(beside) else { return beside }
    let shipped = ShippedPolicies()
    if let found = shipped.path(of: name) { return found }
    error(
      "\(MessageText.quoted(name)) is neither a file beside \(path) nor a shipped policy"
        + MessageText.suggestion(for: name, among: shipped.names) + "; " + shipped.allowed
    )
    return nil
  }
}
