// SPDX-License-Identifier: MIT

/// Finds the name that a misspelt text probably stands for.
///
/// [any-thread]
package enum Spelling {
  /// ` (did you mean 'x'?)` if one of `candidates` is close to `text`, else an empty text.
  package static func suggestion(
    for text: String,
    among candidates: some Sequence<String>,
  ) -> String {
    guard let nearest = nearest(to: text, among: candidates) else { return "" }
    return " (did you mean '\(nearest)'?)"
  }

  /// The name among `names` that `text` stands for: the same name, or the only one that differs in case; else nil.
  package static func name(_ text: String, among names: some Sequence<String>) -> String? {
    let names = Set(names)
    if names.contains(text) { return text }
    let folded = text.lowercased()
    let alike = names.filter { $0.lowercased() == folded }
    return alike.count == 1 ? alike.first : nil
  }

  /// The candidate with the fewest slips from `text`; nil where even that has too many.
  ///
  /// Letter case does not count.
  package static func nearest(to text: String, among candidates: some Sequence<String>) -> String? {
    let written = Array(text.lowercased().unicodeScalars)
    guard (1...64).contains(written.count) else { return nil }
    var best: (candidate: String, slips: Int)?
    for candidate in candidates {
      let meant = Array(candidate.lowercased().unicodeScalars)
      let allowed = max(1, max(written.count, meant.count) / 3)
      guard abs(meant.count - written.count) <= allowed else { continue }
      let slips = distance(written, meant)
      if slips <= allowed, slips < min(meant.count, best?.slips ?? .max) {
        best = (candidate, slips)
      }
    }
    return best?.candidate
  }

  /// The number of letters added, dropped, replaced or swapped with a neighbour between two words.
  package static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var slips = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          slips = min(slips, beforeLast[j - 1] + 1)
        }
        row.append(slips)
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }
}
