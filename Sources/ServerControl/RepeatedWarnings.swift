// SPDX-License-Identifier: MIT

/// Lets a warning through once, and again only after a success.
///
/// Pure value: [any-thread].
struct RepeatedWarnings {
  private var told: Set<String> = []

  /// Whether the text was not told since the last success; counts it as told.
  mutating func isNew(_ text: String) -> Bool { told.insert(text).inserted }

  /// Notes a success: what fails after it is news.
  mutating func forget() { told.removeAll() }
}
