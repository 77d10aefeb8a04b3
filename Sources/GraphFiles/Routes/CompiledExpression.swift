// SPDX-License-Identifier: MIT

internal import CRE2

/// A compiled expression of RE2.
///
/// It is a class because it owns memory of the library.
///
/// Its Sendable is unchecked because of the pointer. After `init` several threads may match with one expression: RE2
/// guards what it keeps of its matches.
///
/// Only read after its initializer: [any-thread].
@safe
final class CompiledExpression: @unchecked Sendable {
  /// The memory of the compiled expression and of what its matches keep, in bytes.
  ///
  /// With more of it a match with a hostile name takes longer, because more is built before it is given up.
  private static let memoryBytes: Int64 = 64 << 10

  /// The number of steps; a match takes at most so many for each byte of a text.
  let steps: Int
  private let expression: OpaquePointer

  /// Compiles an expression.
  ///
  /// - Throws: Its fault.
  init(_ text: String) throws(PortPattern.Fault) {
    var text = text
    let made = text.withUTF8 { utf8 in
      unsafe utf8.withMemoryRebound(to: CChar.self) { bytes in
        unsafe re2_expression_create(bytes.baseAddress, bytes.count, Self.memoryBytes)
      }
    }
    guard let made = unsafe made else { throw PortPattern.Fault(description: "there is no memory") }
    unsafe expression = made
    steps = Int(unsafe re2_expression_steps(made))
    if let reason = unsafe Self.fault(of: made, steps: steps) {
      throw PortPattern.Fault(description: reason)
    }
  }

  deinit { unsafe re2_expression_destroy(expression) }

  /// Whether the match covers all of `text`.
  func matchesWhole(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { utf8 in
      unsafe utf8.withMemoryRebound(to: CChar.self) { bytes in
        unsafe re2_expression_matches_whole(expression, bytes.baseAddress, bytes.count)
      }
    }
  }

  private static func fault(of expression: OpaquePointer, steps: Int) -> String? {
    let limit = PortPattern.stepLimit
    if unsafe re2_expression_is_too_large(expression) || steps > limit {
      return "its repeats make more than \(limit) steps; repeat less, or write .* for any text"
    }
    return unsafe re2_expression_fault(expression).map { unsafe String(cString: $0) }
  }
}
