// SPDX-License-Identifier: MIT

internal import Glibc

/// A pattern for JACK port names.
///
/// A POSIX extended regular expression, as `jack_get_ports` takes, that must match the whole name.
/// Repeat counts are limited and back references refused, so that no pattern is slow.
///
/// Pure value: [any-thread].
public struct PortPattern: Sendable, CustomStringConvertible {
  /// The longest expression, in UTF-8 bytes.
  static let lengthLimit = 256
  /// The largest product of all repeat counts `{n}` of an expression.
  static let repeatLimit = 1_000

  /// The expression, without the slashes around it.
  public let expression: String
  private let compiled: CompiledExpression
  /// The beginning of every match: rejects most names much faster than the expression.
  private let prefix: [UInt8]

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

  /// The reason to refuse an expression that would make a matcher slow or large; nil for a good one.
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

extension PortPattern: Hashable {
  /// Whether two patterns have the same expression.
  public static func == (a: PortPattern, b: PortPattern) -> Bool {
    a.expression == b.expression
  }

  /// Hashes the expression.
  public func hash(into hasher: inout Hasher) { hasher.combine(expression) }
}

/// A compiled POSIX expression.
///
/// It is a class because it owns memory of the C library.
///
/// Its Sendable is unchecked because of the pointer. The memory is only read after `init`, and
/// several threads may call `regexec` on one expression.
///
/// Only read after its initializer: [any-thread].
@safe
final class CompiledExpression: @unchecked Sendable {
  private let regex: UnsafeMutablePointer<regex_t>

  init(_ expression: String) throws(PortPattern.Fault) {
    unsafe regex = .allocate(capacity: 1)
    unsafe regex.initialize(to: regex_t())
    let code = unsafe regcomp(regex, expression, REG_EXTENDED)
    guard code == 0 else {
      let reason = Self.reason(code)
      // A failed regcomp allocates no memory, but deinit will run: give it an empty expression.
      unsafe regex.pointee = regex_t()
      throw PortPattern.Fault(description: reason)
    }
  }

  deinit {
    unsafe regfree(regex)
    unsafe regex.deallocate()
  }

  /// Whether the match covers all of `text`.
  ///
  /// POSIX finds the leftmost longest match, so a match of the whole is found whenever there is one.
  func matchesWhole(_ text: String) -> Bool {
    var match = regmatch_t()
    guard unsafe regexec(regex, text, 1, &match, 0) == 0 else { return false }
    return match.rm_so == 0 && Int(match.rm_eo) == text.utf8.count
  }

  private static func reason(_ code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 128)
    _ = unsafe regerror(code, nil, &buffer, buffer.count)
    let text = String(
      decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)),
      as: UTF8.self
    )
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
