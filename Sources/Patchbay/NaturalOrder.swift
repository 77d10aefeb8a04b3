// SPDX-License-Identifier: MIT

/// Numeric order of names: `playback_2` before `playback_10`.
///
/// Pure value: [any-thread].
package enum NaturalOrder {
  /// Whether `first` comes before `second`.
  package static func areInIncreasingOrder(_ first: String, _ second: String) -> Bool {
    let (left, right) = (Array(first.utf8), Array(second.utf8))
    var (leftStart, rightStart) = (0, 0)
    while leftStart < left.count, rightStart < right.count {
      let a = part(of: left, from: leftStart)
      let b = part(of: right, from: rightStart)
      if a != b {
        if let x = number(a), let y = number(b), x != y { return x < y }
        return a.lexicographicallyPrecedes(b)
      }
      (leftStart, rightStart) = (a.endIndex, b.endIndex)
    }
    return leftStart == left.count && rightStart < right.count
  }

  /// The text from `start` on, as far as digits begin or end.
  private static func part(of text: [UInt8], from start: Int) -> ArraySlice<UInt8> {
    let isNumber = isDigit(text[start])
    var end = start + 1
    while end < text.count, isDigit(text[end]) == isNumber { end += 1 }
    return text[start..<end]
  }

  /// The value of a part that consists of digits; nil for text, and for a number that no `Int` holds.
  private static func number(_ part: ArraySlice<UInt8>) -> Int? {
    Int(String(decoding: part, as: UTF8.self))
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

/// Names in natural order, each once.
///
/// Pure value: [any-thread].
extension [String] {
  /// Puts a name at its place.
  ///
  /// - Returns: Whether it was not there before.
  @discardableResult
  mutating func insertNaturally(_ name: String) -> Bool {
    let place = naturalPlace(of: name)
    guard place == count || self[place] != name else { return false }
    insert(name, at: place)
    return true
  }

  /// Takes a name out.
  ///
  /// - Returns: Whether it was there.
  @discardableResult
  mutating func removeNaturally(_ name: String) -> Bool {
    let place = naturalPlace(of: name)
    guard place < count, self[place] == name else { return false }
    remove(at: place)
    return true
  }

  /// Whether a name is there.
  func containsNaturally(_ name: String) -> Bool {
    let place = naturalPlace(of: name)
    return place < count && self[place] == name
  }

  /// The index of a name, or the index to insert it at.
  private func naturalPlace(of name: String) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if NaturalOrder.areInIncreasingOrder(self[middle], name) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}
