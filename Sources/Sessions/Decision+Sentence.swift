// SPDX-License-Identifier: MIT

extension Decision {
  /// The decision in a sentence, without the rule.
  public var sentence: String {
    fatalError("unwritten")
  }
}
