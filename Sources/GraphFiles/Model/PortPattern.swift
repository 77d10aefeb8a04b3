// SPDX-License-Identifier: MIT

internal import Glibc

/// A pattern for JACK port names.
///
/// A POSIX extended regular expression, as `jack_get_ports` takes, that must match the whole name.
/// Repeat counts are limited and back references refused, so that no pattern is slow.
public struct PortPattern: Sendable, CustomStringConvertible {
  /// The longest expression, in UTF-8 bytes.
  static let lengthLimit = 256
  /// The largest product of all repeat counts `{n}` of an expression.
  static let repeatLimit = 1_000

  /// The expression, without the slashes around it.
  public let expression: String
  private let compiled: CompiledExpression
  /// What every match begins with: most names are told apart by it, much faster than by the expression.
  private let prefix: [UInt8]

  /// The pattern as a graph file writes it, between slashes.
  public var description: String { "/\(expression)/" }

  /// Creates a pattern.
  ///
  /// - Parameter expression: The expression, without slashes around it.
  /// - Throws: What is wrong with it.
  public init(_ expression: String) throws(Fault) {
    if let reason = Self.refusal(of: expression) { throw Fault(description: reason) }
    self.expression = expression
    compiled = try CompiledExpression(expression)
    prefix = Self.literalPrefix(of: expression)
  }

  /// Whether the whole of `portName` matches.
  ///
  /// [any-thread]
  public func matches(_ portName: String) -> Bool {
    portName.utf8.starts(with: prefix) && compiled.matchesWhole(portName)
  }
}

extension PortPattern {
  /// Why a pattern cannot be used.
  public struct Fault: Error, Sendable, Equatable, CustomStringConvertible {
    /// The reason, to follow a colon.
    public let description: String
  }

  /// The characters at the start of an expression that stand for themselves.
  private static func literalPrefix(of expression: String) -> [UInt8] {
    // With alternatives the start says nothing.
    guard !expression.contains("|") else { return [] }
    var prefix: [UInt8] = []
    var bytes = expression.utf8[...]
    while let byte = bytes.popFirst() {
      if byte >= 0x80 || ".[()^$".utf8.contains(byte) { return prefix }
      if "*+?{".utf8.contains(byte) {
        // What is repeated may be missing.
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

  /// Why `expression` is not even tried, if so: what makes a matcher slow or large is refused.
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
        if index < bytes.count, (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(bytes[index]) {
          return "back references are not allowed"
        }
      case UInt8(ascii: "{"):
        let counts = bytes[(index + 1)...].prefix { $0 != UInt8(ascii: "}") }
        let largest = counts.split(separator: UInt8(ascii: ","))
          .compactMap { Int(String(decoding: $0, as: UTF8.self)) }.max()
        product *= max(1, min(largest ?? 1, repeatLimit + 1))
        if product > repeatLimit { return "its repeat counts multiply to over \(repeatLimit)" }
      default:
        break
      }
      index += 1
    }
    return nil
  }
}

extension PortPattern: Equatable {
  /// Whether two patterns have the same expression.
  public static func == (a: PortPattern, b: PortPattern) -> Bool {
    a.expression == b.expression
  }
}
