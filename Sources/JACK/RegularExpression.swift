// SPDX-License-Identifier: MIT

internal import Glibc

/// The regular expressions that JACK matches port names with.
enum RegularExpression {
  /// Finds faults before JACK does, which would only say that there are no such ports.
  static func check(_ pattern: String, call: String) throws(JACKError) {
    var expression = unsafe regex_t()
    let fault = unsafe regcomp(&expression, pattern, REG_EXTENDED | REG_NOSUB)
    defer { unsafe regfree(&expression) }
    guard fault != 0 else { return }
    let message = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
      unsafe regerror(fault, &expression, buffer.baseAddress, buffer.count)
      return unsafe buffer.baseAddress.map { unsafe String(cString: $0) } ?? ""
    }
    throw JACKError(
      .invalidValue,
      call: call,
      subject: pattern,
      detail: "not a regular expression: \(message)",
    )
  }
}
