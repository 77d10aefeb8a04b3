// SPDX-License-Identifier: MIT

/// The order in which people count: `playback_2` before `playback_10`.
enum NaturalOrder {
  /// Whether `first` comes before `second`.
  static func areInIncreasingOrder(_ first: String, _ second: String) -> Bool {
    let left = parts(of: first)
    let right = parts(of: second)
    for (a, b) in zip(left, right) where a != b {
      if let x = Int(a), let y = Int(b), x != y { return x < y }
      return a < b
    }
    // `port_1` and `port_01` count the same; the text decides, so that no two names are equal.
    return left.count == right.count ? first < second : left.count < right.count
  }

  /// The text cut between digits and everything else.
  private static func parts(of text: String) -> [Substring] {
    var parts: [Substring] = []
    var start = text.startIndex
    for index in text.indices where index != text.startIndex {
      if text[index].isASCIIDigit != text[text.index(before: index)].isASCIIDigit {
        parts.append(text[start..<index])
        start = index
      }
    }
    if start < text.endIndex { parts.append(text[start...]) }
    return parts
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
