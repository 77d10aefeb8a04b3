// SPDX-License-Identifier: MIT

internal import FoundationEssentials

/// The folders of node files, by the XDG base directory specification. [control-thread]
public struct NodeFolders: Sendable {
  /// The folders, highest priority first.
  public let folders: [String]
  /// Nodes that are known without a file; a file for a client of the same name takes the place of one.
  public let shipped: [InstalledNode]
  /// The file with the times of last use.
  let stateFile: String

  /// Finds the folders with environment variables.
  ///
  /// `$XDG_DATA_HOME/multiroute/nodes` (or `~/.local/share/…`), then the same in each of
  /// `$XDG_DATA_DIRS` (or `/usr/local/share` and `/usr/share`).
  ///
  /// - Parameters:
  ///   - environment: The variables; nil takes those of the process.
  ///   - shipped: Nodes that are known without a file.
  public init(environment: [String: String]? = nil, shipped: [InstalledNode] = []) {
    self.shipped = shipped
    let environment = environment ?? ProcessInfo.processInfo.environment
    let home = environment["HOME"] ?? "/"
    func absolute(_ key: String, _ standard: String) -> String {
      environment[key].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? standard
    }
    let others = environment["XDG_DATA_DIRS"] ?? ""
    let shared = others.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
    folders =
      ([absolute("XDG_DATA_HOME", home + "/.local/share")]
      + (shared.isEmpty ? ["/usr/local/share", "/usr/share"] : shared))
      .map { $0 + "/multiroute/nodes" }
    stateFile =
      absolute("XDG_STATE_HOME", home + "/.local/state") + "/multiroute/nodes-last-used.json"
  }

  /// Reads all node files; of several with the same file name, the first is used.
  ///
  /// - Returns: The declared and the shipped nodes, and the faults of files that cannot be used.
  public func read() -> (nodes: [InstalledNode], faults: [NodeFileError]) {
    var nodes: [InstalledNode] = []
    var faults: [NodeFileError] = []
    var seen: Set<String> = []
    for folder in folders {
      let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      for file in files.sorted()
      where file.hasSuffix(InstalledNode.fileSuffix) && seen.insert(file).inserted {
        do throws(NodeFileError) {
          nodes.append(try InstalledNode(path: "\(folder)/\(file)"))
        } catch {
          faults.append(error)
        }
      }
    }
    let declared = Set(nodes.map(\.client))
    return (nodes + shipped.filter { !declared.contains($0.client) }, faults)
  }

  // MARK: - Last use

  /// The time of each node's last use, in seconds since 1970, by the node's key.
  public func lastUse() -> [String: Double] {
    guard let data = FileManager.default.contents(atPath: stateFile) else { return [:] }
    return (try? JSONDecoder().decode([String: Double].self, from: data)) ?? [:]
  }

  /// Notes that a node is used now.
  ///
  /// If the file cannot be written, only the order of lists suffers.
  public func noteUse(of description: NodeDescription) {
    var times = lastUse()
    times[Self.key(description)] = Date().timeIntervalSince1970
    let folder = stateFile.prefix(upTo: stateFile.lastIndex(of: "/") ?? stateFile.endIndex)
    try? FileManager.default.createDirectory(
      atPath: String(folder),
      withIntermediateDirectories: true,
    )
    guard let data = try? JSONEncoder().encode(times) else { return }
    try? data.write(to: URL(filePath: stateFile), options: .atomic)
  }

  /// The key of a node in the file of last uses.
  static func key(_ description: NodeDescription) -> String {
    [
      description.component.componentType.text, description.subtype.text,
      description.manufacturer.text, description.name,
    ].joined(separator: "/")
  }
}
