// SPDX-License-Identifier: MIT

/// A pattern for JACK port names.
///
/// A POSIX extended regular expression that must match the whole name. A match takes a time that is linear in the length
/// of the name, whatever the expression, because it is matched without backtracking.
///
/// Pure value: [any-thread].
public struct PortPattern: Sendable, CustomStringConvertible {
  /// The longest expression, in UTF-8 bytes.
  static let lengthLimit = 256
  /// The largest product of all repeat counts `{n}` of an expression.
  static let repeatLimit = 1_000
  /// The largest number of steps of a compiled expression.
  static let stepLimit = 2_000

  /// The expression, without the slashes around it.
  public let expression: String
  private let compiled: CompiledExpression
  /// The beginning of every match: rejects most names much faster than the expression.
  private let prefix: [UInt8]

  /// The number of steps of the compiled expression, 3 to 2,000: a match takes at most so many for each byte of a name.
  package var steps: Int { compiled.steps }

  /// The pattern as a graph file writes it, between slashes.
  public var description: String { "/\(expression)/" }

  /// Creates a pattern.
  ///
  /// - Parameter expression: The expression, without slashes around it.
  /// - Throws: The fault of the expression.
  public init(_ expression: String) throws(Fault) {
    if let reason = Self.refusal(of: expression) { throw Fault(description: reason) }
    self.expression = expression
    compiled = try CompiledExpression(expression)
    prefix = Self.literalPrefix(of: expression)
  }

  /// Whether the whole of `portName` matches.
  ///
  public func matches(_ portName: String) -> Bool {
    portName.utf8.starts(with: prefix) && compiled.matchesWhole(portName)
  }
}

extension PortPattern {
  /// The expression that matches a text and nothing else.
  package static func literal(_ text: String) -> String {
    text.map { #".[](){}+^$|\*?"#.contains($0) ? "\\\($0)" : String($0) }.joined()
  }

  /// Why a pattern cannot be used.
  public struct Fault: Error, Sendable, Equatable, CustomStringConvertible {
    /// The reason, to follow a colon.
    public let description: String
  }

  /// Whether some part of the expression can match the colon that each port's full name has.
  var canMatchColon: Bool { expression.contains { ":.[\\".contains($0) } }

  /// The characters at the start of an expression that stand for themselves.
  private static func literalPrefix(of expression: String) -> [UInt8] {
    // An expression with alternatives has no common beginning.
    guard !expression.contains("|") else { return [] }
    var prefix: [UInt8] = []
    var bytes = expression.utf8[...]
    while let byte = bytes.popFirst() {
      if byte >= 0x80 || ".[()^$".utf8.contains(byte) { return prefix }
      if "*+?{".utf8.contains(byte) {
        // A repeated character may be missing.
        return prefix.dropLast()
      }
      guard byte == UInt8(ascii: "\\") else {
        prefix.append(byte)
        continue
      }
      // Escaped punctuation stands for itself, an escaped letter for more.
      guard let escaped = bytes.popFirst(), ".[](){}^$*+?\\/-".utf8.contains(escaped) else {
        return prefix
      }
      prefix.append(escaped)
    }
    return prefix
  }

  /// The reason to refuse an expression before it is compiled; nil for a good one.
  private static func refusal(of expression: String) -> String? {
    let bytes = Array(expression.utf8)
    if bytes.isEmpty { return "it is empty" }
    if bytes.count > lengthLimit { return "it is longer than \(lengthLimit) bytes" }
    if bytes.contains(0) { return "it holds a zero byte" }
    var product = 1
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\\"):
        index += 1
        if let reason = bytes[index...].first.flatMap(refusal(ofEscaped:)) { return reason }
      case UInt8(ascii: "{"):
        let counts = bytes[(index + 1)...].prefix { $0 != UInt8(ascii: "}") }
        let numbers = counts.split(separator: UInt8(ascii: ","))
          .map { Int(String(decoding: $0, as: UTF8.self)) }
        if counts.endIndex < bytes.count, counts.first == UInt8(ascii: ","),
          let highest = numbers.last ?? nil
        {
          return "'{,\(highest)}' has no lowest count; write {0,\(highest)}"
        }
        product *= max(1, min(numbers.compactMap(\.self).max() ?? 1, repeatLimit + 1))
        if product > repeatLimit { return "its repeat counts multiply to over \(repeatLimit)" }
      default:
        break
      }
      index += 1
    }
    return nil
  }

  /// The reason to refuse a character behind a backslash that others take for more than itself; nil for all others.
  private static func refusal(ofEscaped byte: UInt8) -> String? {
    switch byte {
    case UInt8(ascii: "1")...UInt8(ascii: "9"): "back references are not allowed"
    case UInt8(ascii: "<"), UInt8(ascii: ">"): "'\\<' and '\\>' are not known; write \\b"
    default: nil
    }
  }
}

extension PortPattern: Hashable {
  /// Whether two patterns have the same expression.
  public static func == (a: PortPattern, b: PortPattern) -> Bool {
    a.expression == b.expression
  }

  /// Hashes the expression.
  public func hash(into hasher: inout Hasher) { hasher.combine(expression) }
}
