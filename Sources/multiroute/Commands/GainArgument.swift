// SPDX-License-Identifier: MIT

import ArgumentParser

/// Gains on the command line: decibels, or `-inf`.
enum GainArgument {
  /// Reads a gain.
  ///
  /// - Throws: A usage error for anything else.
  static func parse(_ text: String) throws -> Double {
    let number = text.hasSuffix("dB") ? text.dropLast(2).filter { $0 != " " } : text
    guard let gain = Double(number), !gain.isNaN, gain <= 24 else {
      throw ValidationError("'\(text)' is not a gain; allowed are decibels up to 24, or -inf")
    }
    return gain
  }
}
