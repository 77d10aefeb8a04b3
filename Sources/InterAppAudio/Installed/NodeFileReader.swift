// SPDX-License-Identifier: MIT

internal import Yams

/// Reads the keys of a node file, each with its kind of value.
struct NodeFileReader {
  private let path: String
  private var values: [String: Yams.Node] = [:]

  /// Takes a mapping; keys that are not known, or there twice, are refused.
  init(_ mapping: Yams.Node.Mapping, path: String, keys: [String]) throws(NodeFileError) {
    self.path = path
    for (key, value) in mapping {
      let name = key.string ?? ""
      guard keys.contains(name) else {
        throw NodeFileError(
          path: path,
          line: key.mark?.line,
          "unknown key '\(name)'; keys: \(keys.joined(separator: ", "))",
        )
      }
      values[name] = value
    }
  }

  func error(_ key: String, _ message: String) -> NodeFileError {
    NodeFileError(path: path, line: values[key]?.mark?.line, "\(key): \(message)")
  }

  func text(_ key: String) throws(NodeFileError) -> String? {
    guard let value = values[key] else { return nil }
    guard let text = value.scalar?.string, !text.isEmpty,
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
    let texts = value.sequence?.map { $0.scalar?.string ?? "" } ?? []
    guard !texts.isEmpty, texts.allSatisfy({ !$0.isEmpty }) else {
      throw error(key, "a list of texts is needed, such as [in_1, in_2]")
    }
    return texts
  }
}
