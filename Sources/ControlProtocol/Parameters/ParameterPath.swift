// SPDX-License-Identifier: MIT

internal import Sessions

/// Paths of parameters: names between slashes.
///
/// The characters that OSC keeps for itself, the percent sign, and all that is not ASCII are written as `%20` in a name (RFC 3986).
/// Names that are equal in Unicode's sense have one path.
/// [any-thread]
package enum ParameterPath {
  /// The characters that an OSC address keeps for itself (OSC 1.0, "OSC Address Spaces").
  private static let reserved = Array(" #*,/?[]{}%".utf8)

  /// A name as a part of a path.
  package static func part(_ name: String) -> String {
    if name.utf8.allSatisfy(isPlain) { return name }
    var part = ""
    for byte in name.composed.utf8 {
      if isPlain(byte) {
        part.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        part += "%" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return part
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7F && !reserved.contains(byte)
  }

  /// The path of these names.
  package static func path(_ names: some Sequence<String>) -> String {
    names.map { "/" + part($0) }.joined()
  }

  /// The path as the tree writes it, for one whose names are typed as they are shown, such as `/strip/Плеер/gain`.
  ///
  /// A slash at its end goes. A path without names stays, but for that.
  package static func spelled(_ path: String) -> String {
    let branch = branch(path)
    return names(branch).map(self.path) ?? branch
  }

  /// The names in a path; nil for one that does not begin with a slash, has an empty name, or is badly escaped.
  package static func names(_ path: String) -> [String]? {
    guard path.utf8.first == UInt8(ascii: "/") else { return nil }
    var names: [String] = []
    for part in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      guard let name = name(part), !name.isEmpty else { return nil }
      names.append(name)
    }
    return names
  }

  private static func name(_ part: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = part.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      guard digits.count == 2, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// A path without slashes at its end; `/` is the branch of all parameters.
  package static func branch(_ path: String) -> String {
    let ending = path.reversed().prefix { $0 == "/" }.count
    return ending == path.count ? "/" : String(path.dropLast(ending))
  }

  /// The branches on which a path lies, from itself to `/`.
  package static func branches(of path: String) -> [String] {
    var branches = [path]
    var rest = path[...]
    while let slash = rest.lastIndex(of: "/"), slash > rest.startIndex {
      rest = rest[..<slash]
      branches.append(String(rest))
    }
    return branches + ["/"]
  }
}
