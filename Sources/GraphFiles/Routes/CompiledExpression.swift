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

  /// The number of groups; 0 for an expression that does not capture.
  let groups: Int

  /// Compiles an expression.
  ///
  /// - Parameters:
  ///   - text: The expression.
  ///   - isCapturing: Whether a match tells its groups, too.
  /// - Throws: Its fault.
  init(_ text: String, isCapturing: Bool = false) throws(PortPattern.Fault) {
    var text = text
    let made = text.withUTF8 { utf8 in
      unsafe utf8.withMemoryRebound(to: CChar.self) { bytes in
        unsafe re2_expression_create(bytes.baseAddress, bytes.count, Self.memoryBytes, isCapturing)
      }
    }
    guard let made = unsafe made else { throw PortPattern.Fault(description: "there is no memory") }
    unsafe expression = made
    steps = Int(unsafe re2_expression_steps(made))
    groups = isCapturing ? Int(unsafe re2_expression_groups(made)) : 0
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

  /// The first nine groups of a match that covers all of `text`; nil without one.
  ///
  /// A group without a part in the match is empty.
  func captures(in text: String) -> [String]? {
    var text = text
    let count = min(groups, 9)
    var places = [Int32](repeating: 0, count: 2 * count)
    return text.withUTF8 { utf8 in
      let isMatch = unsafe utf8.withMemoryRebound(to: CChar.self) { bytes in
        unsafe places.withUnsafeMutableBufferPointer { places in
          unsafe re2_expression_captures(
            expression,
            bytes.baseAddress,
            bytes.count,
            Int32(count),
            places.baseAddress
          )
        }
      }
      guard isMatch else { return nil }
      return (0..<count).map { group in
        let start = Int(places[2 * group])
        guard start >= 0 else { return "" }
        let part = unsafe utf8[start..<start + Int(places[2 * group + 1])]
        return unsafe String(decoding: part, as: UTF8.self)
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
