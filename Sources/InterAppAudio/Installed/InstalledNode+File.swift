// SPDX-License-Identifier: MIT

internal import FoundationEssentials
internal import Glibc
internal import Yams

extension InstalledNode {
  /// What the name of a node file ends with.
  static let fileSuffix = ".node.yaml"

  private static let largestFileBytes = 65_536

  private enum Key: String, CaseIterable {
    case node, kind, name, subtype, manufacturer, version, icon, client, command
    case audioInputs, audioOutputs, midiInputs, entitlement, mixWithOthers, usesSystemAudio
    case onLoss, publishesItself
  }

  /// Reads a node file.
  ///
  /// - Throws: ``NodeFileError`` with place, fault and what is allowed.
  init(path: String) throws(NodeFileError) {
    var facts = stat()
    // A pipe would be waited for.
    guard unsafe stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
      facts.st_size <= Self.largestFileBytes
    else {
      throw NodeFileError(path: path, "a file of at most \(Self.largestFileBytes) bytes is needed")
    }
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw NodeFileError(path: path, "the file cannot be read as UTF-8 text")
    }
    try self.init(text: text, path: path)
  }

  /// Reads the text of a node file.
  init(text: String, path: String) throws(NodeFileError) {
    let root: Yams.Node?
    do {
      root = try Yams.compose(yaml: text)
    } catch {
      throw NodeFileError(path: path, "\(error)".replacing("\n", with: " "))
    }
    guard let mapping = root?.mapping else {
      throw NodeFileError(path: path, "a mapping is needed, such as 'kind: effect'")
    }
    let reader = try NodeFileReader(mapping, path: path, keys: Key.allCases.map(\.rawValue))
    guard try reader.required("node") == "1" else {
      throw reader.error("node", "the format version must be 1")
    }
    let kinds = NodeKind.allCases.map(\.rawValue).joined(separator: ", ")
    guard let kind = NodeKind(rawValue: try reader.required("kind")) else {
      throw reader.error("kind", "must be one of: \(kinds)")
    }
    let name = try reader.required("name")
    let command = try reader.list("command") ?? []
    let publishesItself = try reader.flag("publishesItself") ?? false
    guard let lossPolicy = LossPolicy(rawValue: try reader.text("onLoss") ?? "stay") else {
      throw reader.error("onLoss", "must be stop or stay")
    }
    let description = NodeDescription(
      kind: kind,
      subtype: try reader.code("subtype"),
      manufacturer: try reader.code("manufacturer"),
      name: name,
      version: try reader.version("version"),
      iconName: try reader.text("icon"),
      ports: NodePorts(
        audioInputs: try reader.list("audioInputs") ?? [],
        audioOutputs: try reader.list("audioOutputs") ?? [],
        midiInputs: try reader.list("midiInputs") ?? [],
      ),
      hasEntitlement: try reader.flag("entitlement") ?? true,
      mixesWithOthers: try reader.flag("mixWithOthers") ?? true,
      usesSystemAudio: try reader.flag("usesSystemAudio") ?? false,
    )
    self.init(
      description: description,
      client: try reader.text("client") ?? name,
      command: command,
      path: path,
      publishesItself: publishesItself,
      lossPolicy: lossPolicy,
    )
  }
}
