// SPDX-License-Identifier: MIT

internal import Sessions

/// The values of one part of a graph, by their keys and as a graph file writes them.
///
/// All values of the part are there, defaults included, so parts with equal words are equal. Pure value: [any-thread].
struct GraphWords: Equatable {
  /// One value.
  struct Entry: Equatable {
    /// The key, with those above it inside of the part.
    var key: String
    /// The value as a graph file writes it.
    var text: String
    /// The thing that the value stands for, where the same text can stand for several.
    var meaning: String
  }

  /// The values in the order of the reference.
  private(set) var entries: [Entry] = []

  /// Adds a value; nil stands for a key that is not there.
  mutating func add(_ key: String, _ text: String?, meaning: String? = nil) {
    guard let text else { return }
    entries.append(Entry(key: key, text: text, meaning: meaning ?? text))
  }

  /// Adds the values of a part of this part.
  mutating func add(_ key: String, _ words: GraphWords?) {
    for entry in words?.entries ?? [] {
      add("\(key).\(entry.key)", entry.text, meaning: entry.meaning)
    }
  }

  /// The values in braces, without those that the other words have too.
  func inBraces(without other: GraphWords = GraphWords()) -> String {
    "{"
      + entries.filter { !other.entries.contains($0) }
      .map { "\($0.key): \($0.text)" }.joined(separator: ", ") + "}"
  }

  /// The values that are not those of an older version: in the order of the reference, then those that have gone.
  func changes(since old: GraphWords) -> [GraphChange.Value] {
    let before = Dictionary(old.entries.map { ($0.key, $0) }) { first, _ in first }
    let now = Set(entries.map(\.key))
    let changed = entries.compactMap { entry -> GraphChange.Value? in
      guard let other = before[entry.key] else {
        return GraphChange.Value(entry.key, from: nil, to: entry.text)
      }
      guard other != entry else { return nil }
      return other.text == entry.text
        ? GraphChange.Value(entry.key, from: other.meaning, to: entry.meaning)
        : GraphChange.Value(entry.key, from: other.text, to: entry.text)
    }
    let gone = old.entries.filter { !now.contains($0.key) }
    return changed + gone.map { GraphChange.Value($0.key, from: $0.text, to: nil) }
  }
}

/// Values as graph files write them. [any-thread]
extension GraphWords {
  static func gain(_ decibels: Double) -> String { "\(decibels.graphText) dB" }

  static func rate(_ hertz: Double) -> String {
    hertz >= 1_000 ? "\((hertz / 1_000).graphText) kHz" : "\(hertz.graphText) Hz"
  }

  static func flag(_ isTrue: Bool) -> String { isTrue ? "true" : "false" }

  static func list(_ texts: some Sequence<String>) -> String {
    "[" + texts.joined(separator: ", ") + "]"
  }

  /// A list, or nil for an empty one.
  static func listIfAny(_ texts: [String]) -> String? { texts.isEmpty ? nil : list(texts) }
}
