// SPDX-License-Identifier: MIT

internal import OSC

/// A pattern for addresses: `?`, `*`, `[a-z]`, `[!a-z]` and `{foo,bar}` within one part between slashes, and OSC 1.1's `//` for any
/// number of parts (OSC-5).
///
/// liblo's own matcher lets a last `*` match slashes, too (OSC-6). The work for one address grows with the length of the
/// pattern times that of the address, whatever the pattern is. Pure value: [any-thread].
struct OSCPattern: Sendable {
  fileprivate enum Token: Sendable {
    case byte(UInt8)
    case any
    case run
    case set([ClosedRange<UInt8>], isInverted: Bool)
    case words([[UInt8]])
  }

  /// The most bytes of a pattern.
  static let byteLimit = 512

  private enum Part: Sendable {
    case name([Token])
    /// Any number of parts.
    case descent
  }

  private let parts: [Part]

  /// Whether a text is a pattern, and not one address.
  static func isPattern(_ path: String) -> Bool {
    path.utf8.contains { Self.special.contains($0) } || path.contains("//")
  }

  private static let special = Set("?*[]{}".utf8)

  /// Reads a pattern.
  ///
  /// - Throws: ``OSCError`` for one without an end, or one that is too long.
  init(_ text: String) throws(OSCError) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.byteLimit else {
      throw OSCError("the pattern is longer than \(Self.byteLimit) bytes")
    }
    let names = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    var parts: [Part] = []
    for (index, name) in names.enumerated() {
      // Nothing between two slashes is a descent; nothing behind the last one belongs to it.
      guard name.isEmpty, index + 1 < names.count || index > 0 else {
        parts.append(.name(try Self.tokens(Array(name.utf8))))
        continue
      }
      if case .descent? = parts.last { continue }
      parts.append(index + 1 < names.count ? .descent : .name([]))
    }
    self.parts = parts
  }

  private static func tokens(_ part: [UInt8]) throws(OSCError) -> [Token] {
    var tokens: [Token] = []
    var rest = part[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "?"): tokens.append(.any)
      case UInt8(ascii: "*"): tokens.append(.run)
      case UInt8(ascii: "["): tokens.append(set(try inside(&rest, until: "]")))
      case UInt8(ascii: "{"):
        let words = try inside(&rest, until: "}")
        tokens.append(
          .words(
            words.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map(
              Array.init
            )
          )
        )
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        throw OSCError("the pattern closes a bracket that was not opened")
      default: tokens.append(.byte(byte))
      }
    }
    return tokens
  }

  private static func inside(
    _ rest: inout ArraySlice<UInt8>,
    until end: Unicode.Scalar,
  ) throws(OSCError) -> [UInt8] {
    guard let close = rest.firstIndex(of: UInt8(ascii: end)) else {
      throw OSCError("the pattern has a bracket without '\(end)'")
    }
    defer { rest = rest[(close + 1)...] }
    return Array(rest[..<close])
  }

  private static func set(_ bytes: [UInt8]) -> Token {
    let isInverted = bytes.first == UInt8(ascii: "!")
    var rest = bytes[...]
    if isInverted { rest = rest.dropFirst() }
    var ranges: [ClosedRange<UInt8>] = []
    while let first = rest.popFirst() {
      if rest.first == UInt8(ascii: "-"), rest.count > 1 {
        rest = rest.dropFirst()
        let last = rest.removeFirst()
        ranges.append(min(first, last)...max(first, last))
      } else {
        ranges.append(first...first)
      }
    }
    return .set(ranges, isInverted: isInverted)
  }

  // MARK: - Matching

  /// Whether the pattern reaches an address, given as its parts between slashes.
  func matches(_ address: [[UInt8]]) -> Bool {
    var reached = [Bool](repeating: false, count: address.count + 1)
    reached[0] = true
    for part in parts {
      var next = [Bool](repeating: false, count: address.count + 1)
      switch part {
      case .descent:
        guard let first = reached.firstIndex(of: true) else { return false }
        for place in first...address.count { next[place] = true }
      case .name(let tokens):
        for place in address.indices where reached[place] && Self.matches(tokens, address[place]) {
          next[place + 1] = true
        }
      }
      reached = next
    }
    return reached[address.count]
  }

  /// Follows all ways through the name at once, so that no pattern makes it go back.
  private static func matches(_ tokens: [Token], _ name: [UInt8]) -> Bool {
    var reached = [Bool](repeating: false, count: name.count + 1)
    reached[0] = true
    for token in tokens {
      var next = [Bool](repeating: false, count: name.count + 1)
      switch token {
      case .run:
        guard let first = reached.firstIndex(of: true) else { return false }
        for place in first...name.count { next[place] = true }
      case .words(let words):
        for place in 0...name.count where reached[place] {
          for word in words where name[place...].starts(with: word) {
            next[place + word.count] = true
          }
        }
      default:
        for place in 0..<name.count where reached[place] && token.takes(name[place]) {
          next[place + 1] = true
        }
      }
      reached = next
    }
    return reached[name.count]
  }
}

extension OSCPattern.Token {
  fileprivate func takes(_ byte: UInt8) -> Bool {
    switch self {
    case .byte(let own): own == byte
    case .set(let ranges, let isInverted): ranges.contains { $0.contains(byte) } != isInverted
    default: true
    }
  }
}
