// SPDX-License-Identifier: MIT

internal import FoundationEssentials
internal import Glibc
internal import YAML

extension InstalledNode {
  /// The suffix of the names of node files.
  static let fileSuffix = ".node.yaml"

  private static let largestFileBytes = 65_536

  private enum Key: String, CaseIterable {
    case node, kind, name, subtype, manufacturer, version, icon, client, command, environment
    case audioInputs, audioOutputs, midiInputs, entitlement, mixWithOthers, usesSystemAudio
    case onLoss, publishesItself, session, backgroundAudio
  }

  /// Reads a node file.
  ///
  /// - Throws: ``NodeFileError`` with place, fault and allowed values.
  init(path: String) throws(NodeFileError) {
    var facts = stat()
    // Reading a pipe would wait forever.
    guard unsafe stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
      facts.st_size <= Self.largestFileBytes
    else {
      throw NodeFileError(
        path: path,
        "not a regular file of at most \(Self.largestFileBytes) bytes"
      )
    }
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw NodeFileError(path: path, "the file cannot be read as UTF-8 text")
    }
    try self.init(text: text, path: path)
  }

  /// Reads the text of a node file.
  init(text: String, path: String) throws(NodeFileError) {
    let root: YAMLNode
    do {
      root = try YAMLComposer.compose(text)
    } catch {
      throw NodeFileError(path: path, line: error.position.line, error.plainMessage)
    }
    guard case .mapping(let mapping) = root.content else {
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
    let environment = try reader.variables("environment")
    let publishesItself = try reader.flag("publishesItself") ?? false
    guard let lossPolicy = LossPolicy(rawValue: try reader.text("onLoss") ?? "stay") else {
      throw reader.error("onLoss", "must be stop or stay")
    }
    let session = try reader.text("session") ?? "own"
    guard ["own", "held"].contains(session) else {
      throw reader.error("session", "must be own or held")
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
      isSessionActive: session == "held",
      hasBackgroundAudio: try reader.flag("backgroundAudio") ?? false,
    )
    self.init(
      description: description,
      client: try reader.text("client") ?? name,
      command: command,
      environment: environment,
      path: path,
      publishesItself: publishesItself,
      lossPolicy: lossPolicy,
    )
  }
}

/// Reads the keys of a node file with their types.
///
/// Pure value: [any-thread].
struct NodeFileReader {
  private let path: String
  private var values: [String: YAMLNode] = [:]

  /// Reads a mapping; refuses unknown keys, and keys that are there twice.
  init(_ mapping: [YAMLNode.Entry], path: String, keys: [String]) throws(NodeFileError) {
    self.path = path
    for entry in mapping {
      let name = entry.key.text ?? ""
      guard keys.contains(name) else {
        throw NodeFileError(
          path: path,
          line: entry.key.position.line,
          "unknown key '\(name)'; keys: \(keys.joined(separator: ", "))",
        )
      }
      guard values[name] == nil else {
        throw NodeFileError(
          path: path,
          line: entry.key.position.line,
          "the key '\(name)' is there twice; keep one of them",
        )
      }
      values[name] = entry.value
    }
  }

  func error(_ key: String, _ message: String) -> NodeFileError {
    NodeFileError(path: path, line: values[key]?.position.line, "\(key): \(message)")
  }

  func text(_ key: String) throws(NodeFileError) -> String? {
    guard let value = values[key] else { return nil }
    guard let text = value.text, !text.isEmpty,
      !text.unicodeScalars.contains(where: { $0.value < 32 })
    else { throw error(key, "a text without control characters is needed") }
    return text
  }

  func required(_ key: String) throws(NodeFileError) -> String {
    guard let text = try text(key) else { throw error(key, "the key is missing") }
    return text
  }

  func flag(_ key: String) throws(NodeFileError) -> Bool? {
    switch try text(key) {
    case nil: return nil
    case "true": return true
    case "false": return false
    default: throw error(key, "must be true or false")
    }
  }

  func code(_ key: String) throws(NodeFileError) -> FourCharCode {
    guard let code = FourCharCode(try required(key)) else {
      throw error(key, "must have exactly four printable ASCII characters")
    }
    return code
  }

  func version(_ key: String) throws(NodeFileError) -> UInt32 {
    guard let text = try text(key) else { return 0x1_0000 }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { UInt32($0) }
    guard (1...3).contains(parts.count), parts.allSatisfy({ $0.map { $0 < 256 } ?? false }) else {
      throw error(key, "must be like 1.0.0, each part 0 … 255")
    }
    let numbers = parts.compactMap { $0 } + [0, 0]
    return numbers[0] << 16 | numbers[1] << 8 | numbers[2]
  }

  func list(_ key: String) throws(NodeFileError) -> [String]? {
    guard let value = values[key] else { return nil }
    var texts: [String] = []
    if case .sequence(let nodes) = value.content { texts = nodes.map { $0.text ?? "" } }
    guard !texts.isEmpty, texts.allSatisfy({ !$0.isEmpty }) else {
      throw error(key, "a list of texts is needed, such as [in_1, in_2]")
    }
    return texts
  }

  /// The variables of a mapping; empty without the key.
  func variables(_ key: String) throws(NodeFileError) -> [String: String] {
    guard let value = values[key] else { return [:] }
    var variables: [String: String] = [:]
    guard case .mapping(let entries) = value.content else {
      throw error(key, Self.variablesFault)
    }
    for entry in entries {
      guard let name = entry.key.text, let text = entry.value.text, variables[name] == nil,
        Self.isVariable(name), !text.unicodeScalars.contains("\0")
      else { throw error(key, Self.variablesFault) }
      variables[name] = text
    }
    guard !variables.isEmpty else { throw error(key, Self.variablesFault) }
    return variables
  }

  private static let variablesFault =
    "a mapping of names to texts is needed, such as {LV2_PATH: /opt/lv2}; a name has letters, digits and _"

  private static func isVariable(_ name: String) -> Bool {
    name.first.map { !$0.isNumber } ?? false
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
  }
}
