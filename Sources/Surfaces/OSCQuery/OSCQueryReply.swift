// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import FoundationEssentials

/// The answers to requests for nodes and attributes.
///
/// Pure functions: [any-thread].
enum OSCQueryReply {
  /// The answer to a request.
  static func response(
    to request: WebRequest,
    in namespace: OSCQueryNamespace,
    host: OSCQueryHostInfo,
  ) -> WebResponse {
    // A value of an attribute, as in HOST_INFO=1, has no meaning (OQ-9).
    let names = request.query.map { String($0.prefix { $0 != "=" }) }
    if names.contains("HOST_INFO") { return json(host.seen(from: request.peer)) }
    guard let node = namespace.node(at: request.path) else {
      return .sentence("there is no node at this path; '/' lists all", status: 404)
    }
    guard !names.isEmpty else { return json(node) }
    var attributes: [OSCQueryAttribute] = []
    for name in names {
      guard let attribute = OSCQueryAttribute(rawValue: name) else {
        let known = OSCQueryAttribute.allCases.map(\.rawValue) + ["HOST_INFO"]
        return .sentence("the query must be one of \(known.joined(separator: ", "))", status: 400)
      }
      attributes.append(attribute)
    }
    guard let selection = try? OSCQuerySelection(node, attributes) else { return failure }
    if node.method != nil, selection.isEmpty {
      return WebResponse(status: 204, type: "application/json", body: [])
    }
    return WebResponse(type: "application/json", body: selection.json)
  }

  /// The text of a command to a client, such as `{"COMMAND":"PATH_ADDED","DATA":"/strip/a"}`.
  static func command(_ name: String, _ path: String) -> WebMessage {
    let data = try? encoder().encode(OSCQueryCommand(name: name, path: path))
    return .text(data.map { String(decoding: $0, as: UTF8.self) } ?? "")
  }

  /// The text that tells a client of another address, with `OLD` and `NEW` as its data.
  static func command(_ rename: ParameterRename) -> WebMessage {
    let data = try? encoder().encode(OSCQueryRename(rename))
    return .text(data.map { String(decoding: $0, as: UTF8.self) } ?? "")
  }

  fileprivate static func encoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }

  private static func json(_ value: some Encodable) -> WebResponse {
    guard let data = try? encoder().encode(value) else { return failure }
    return WebResponse(type: "application/json", body: Array(data))
  }

  private static var failure: WebResponse {
    .sentence("the node has a value that JSON cannot show", status: 500)
  }
}

/// Some attributes of a node, as one object of JSON.
///
/// Pure value: [any-thread].
private struct OSCQuerySelection {
  private struct Form: Encodable {
    let node: OSCQueryNode
    let attributes: [OSCQueryAttribute]

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: OSCQueryAttribute.self)
      for attribute in attributes { _ = try node.encode(attribute, into: &container) }
    }
  }

  /// The object.
  let json: [UInt8]

  /// Whether the node has none of the attributes.
  var isEmpty: Bool { json == Array("{}".utf8) }

  init(_ node: OSCQueryNode, _ attributes: [OSCQueryAttribute]) throws {
    json = Array(try OSCQueryReply.encoder().encode(Form(node: node, attributes: attributes)))
  }
}

/// A command over the WebSocket: its name, and the path that it is about.
///
/// Pure value: [any-thread].
struct OSCQueryCommand: Codable {
  private enum CodingKeys: String, CodingKey {
    case name = "COMMAND"
    case path = "DATA"
  }

  /// The name, such as `LISTEN`.
  let name: String
  /// The path of a node.
  let path: String

  /// Reads a command; nil for one that is about no path, or is none.
  static func read(_ text: String) -> OSCQueryCommand? {
    try? JSONDecoder().decode(OSCQueryCommand.self, from: Data(text.utf8))
  }

  /// Makes a command.
  init(name: String, path: String) {
    self.name = name
    self.path = path
  }
}

/// The command `PATH_RENAMED`.
///
/// Pure value: [any-thread].
private struct OSCQueryRename: Encodable {
  struct Paths: Encodable {
    let old: String
    let new: String

    enum CodingKeys: String, CodingKey {
      case old = "OLD"
      case new = "NEW"
    }
  }

  enum CodingKeys: String, CodingKey {
    case name = "COMMAND"
    case paths = "DATA"
  }

  let name = "PATH_RENAMED"
  let paths: Paths

  init(_ rename: ParameterRename) { paths = Paths(old: rename.from, new: rename.to) }
}
