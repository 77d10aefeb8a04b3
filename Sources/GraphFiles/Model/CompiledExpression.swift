// SPDX-License-Identifier: MIT

internal import Glibc

/// A compiled POSIX expression; a class, for it owns memory of the C library.
///
/// Unchecked because of the pointer: nothing is written after `init`, and `regexec` may be called by
/// several threads on one expression.
@safe
final class CompiledExpression: @unchecked Sendable {
  private let regex: UnsafeMutablePointer<regex_t>

  init(_ expression: String) throws(PortPattern.Fault) {
    unsafe regex = .allocate(capacity: 1)
    unsafe regex.initialize(to: regex_t())
    let code = unsafe regcomp(regex, expression, REG_EXTENDED)
    guard code == 0 else {
      let reason = Self.reason(code)
      // A failed regcomp leaves nothing to free, but deinit will run: give it an empty expression.
      unsafe regex.pointee = regex_t()
      throw PortPattern.Fault(description: reason)
    }
  }

  deinit {
    unsafe regfree(regex)
    unsafe regex.deallocate()
  }

  /// Whether the match covers all of `text`: POSIX finds the leftmost longest one, so that a match of
  /// the whole is found whenever there is one.
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
