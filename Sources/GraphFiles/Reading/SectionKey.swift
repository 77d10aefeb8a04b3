// SPDX-License-Identifier: MIT

/// The keys of one kind of mapping in a graph file; the raw values are the keys as written.
///
/// Every section is one such enum and the code that reads it, in a file of its own.
protocol SectionKey: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// What the mapping is called in messages and in `docs/graph-files.md`.
  static var section: String { get }
}
