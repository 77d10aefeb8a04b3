// SPDX-License-Identifier: MIT

@_spi(_Unicode) internal import Swift

/// Names that other programs give. [any-thread]
extension String {
  /// The text with letters and marks composed where Unicode can (NFC, UAX #15): texts that are equal have the same bytes then.
  package var composed: String {
    guard !utf8.allSatisfy({ $0 < 0x80 }) else { return self }
    // In public only Foundation has this, with all of ICU, which the host does not link.
    return String(String.UnicodeScalarView(_nfc))
  }

  /// The beginning with at most so many bytes of UTF-8.
  ///
  /// It ends between characters, or within the first one if that alone is longer.
  package func prefix(bytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var (name, room) = ("", limit)
    for character in self {
      room -= character.utf8.count
      guard room >= 0 else { break }
      name.append(character)
    }
    guard name.isEmpty else { return name }
    var end = utf8.index(utf8.startIndex, offsetBy: max(limit, 0))
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return String(self[..<end])
  }
}
