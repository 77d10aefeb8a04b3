// SPDX-License-Identifier: MIT

internal import ControlProtocol

/// A node of the namespace: a container, or a method.
///
/// Pure value: [any-thread].
struct OSCQueryNode: Encodable {
  /// The address.
  let fullPath: String
  /// The nodes of a container by their names.
  var contents: [String: OSCQueryNode] = [:]
  /// The method; nil for a container.
  var method: OSCQueryMethod?

  /// Writes all attributes, and the nodes below.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: OSCQueryAttribute.self)
    for attribute in OSCQueryAttribute.allCases { _ = try encode(attribute, into: &container) }
  }

  /// Writes an attribute.
  ///
  /// - Returns: Whether the node has it.
  func encode(
    _ attribute: OSCQueryAttribute,
    into container: inout KeyedEncodingContainer<OSCQueryAttribute>,
  ) throws -> Bool {
    if let method { return try method.encode(attribute, into: &container) }
    switch attribute {
    case .fullPath: try container.encode(fullPath, forKey: attribute)
    case .contents: try container.encode(contents, forKey: attribute)
    default: return false
    }
    return true
  }
}

/// All parameters as the addresses of OSC.
///
/// Pure value: [any-thread].
struct OSCQueryNamespace: Sendable {
  /// The methods by their addresses.
  private(set) var methods: [String: OSCQueryMethod] = [:]

  /// Makes the addresses of parameters, with one more for each fader.
  init(_ parameters: [ParameterDescription]) {
    for parameter in parameters {
      for isFader in OSCMapping.faderPath(of: parameter) == nil ? [false] : [false, true] {
        let method = OSCQueryMethod(parameter: parameter, isFader: isFader)
        methods[method.path] = method
      }
    }
  }

  /// The method at an address that a request names: as it is, or escaped once more as a path of HTTP.
  func node(at path: String) -> OSCQueryNode? {
    let trimmed = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    return existingNode(at: trimmed) ?? Self.unescaped(trimmed).flatMap(existingNode)
  }

  private func existingNode(at path: String) -> OSCQueryNode? {
    if let method = methods[path] { return OSCQueryNode(fullPath: path, method: method) }
    let prefix = path == "/" ? "/" : path + "/"
    var node = OSCQueryNode(fullPath: path)
    for method in methods.values where method.path.hasPrefix(prefix) {
      let names = method.path.dropFirst(prefix.count).split(separator: "/")
      Self.insert(method, names[...], into: &node)
    }
    return node.contents.isEmpty && path != "/" ? nil : node
  }

  private static func insert(
    _ method: OSCQueryMethod,
    _ names: ArraySlice<Substring>,
    into node: inout OSCQueryNode,
  ) {
    guard let name = names.first else {
      node.method = method
      return
    }
    let path = (node.fullPath == "/" ? "" : node.fullPath) + "/" + name
    insert(
      method,
      names.dropFirst(),
      into: &node.contents[String(name), default: OSCQueryNode(fullPath: path)],
    )
  }

  private static func unescaped(_ path: String) -> String? {
    var bytes: [UInt8] = []
    var rest = path.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
        return nil
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  // MARK: - Changes

  /// Takes in new values.
  ///
  /// - Returns: The methods that show them; none for a parameter that is not known.
  mutating func take(_ setting: ParameterSetting) -> [OSCQueryMethod] {
    guard let known = methods[setting.path] else { return [] }
    var parameter = known.parameter
    parameter.value = setting.value
    let paths = [parameter.path, OSCMapping.faderPath(of: parameter)].compactMap(\.self)
    for path in paths { methods[path]?.parameter.value = setting.value }
    return paths.compactMap { methods[$0] }
  }

  /// Gives nodes other addresses.
  mutating func rename(_ steps: [ParameterRename]) {
    var renamed: [String: OSCQueryMethod] = [:]
    for var method in methods.values {
      method.parameter.path = steps.path(after: method.parameter.path)
      renamed[method.path] = method
    }
    methods = renamed
  }

  /// The addresses at which this namespace has nodes that another does not have, the topmost of each branch.
  func topmostPaths(missingIn other: OSCQueryNamespace) -> [String] {
    let others = other.allPaths
    var found: Set<String> = []
    for path in methods.keys where !others.contains(path) {
      let missing = Self.branches(of: path).first { !others.contains($0) }
      found.insert(missing ?? path)
    }
    return found.sorted()
  }

  /// The addresses of methods that another namespace describes in another way, as of a node that was started anew.
  func paths(describedOtherwiseIn other: OSCQueryNamespace) -> [String] {
    methods.values.filter { method in
      guard var parameter = other.methods[method.path]?.parameter else { return false }
      parameter.value = method.parameter.value
      return parameter != method.parameter
    }.map(\.path).sorted()
  }

  private var allPaths: Set<String> { Set(methods.keys.flatMap(Self.branches)) }

  /// The addresses from the topmost one to the path itself.
  private static func branches(of path: String) -> [String] {
    var branches: [String] = []
    var branch = ""
    for name in path.split(separator: "/") {
      branch += "/" + name
      branches.append(branch)
    }
    return branches
  }
}
