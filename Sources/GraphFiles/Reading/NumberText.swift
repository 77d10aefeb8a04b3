// SPDX-License-Identifier: MIT

/// A value taken apart into a decimal number and what follows it.
struct NumberText {
  /// The number as written, empty if the text begins with none.
  let number: String
  /// What follows the number and any spaces.
  let unit: String

  init(_ text: String) {
    let bytes = Array(text.utf8)
    var end = bytes.first == UInt8(ascii: "-") || bytes.first == UInt8(ascii: "+") ? 1 : 0
    if bytes[end...].starts(with: "inf".utf8) {
      end += 3
    } else {
      let whole = bytes[end...].prefix(while: Self.isDigit).count
      end += whole
      var fraction = 0
      if end < bytes.count, bytes[end] == UInt8(ascii: ".") {
        fraction = bytes[(end + 1)...].prefix(while: Self.isDigit).count
        end += 1 + fraction
      }
      if whole + fraction == 0 { end = 0 }
    }
    number = String(decoding: bytes[..<end], as: UTF8.self)
    unit = String(decoding: bytes[end...].drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
  }

  /// The number, which may be infinite; nil if the text begins with none.
  var value: Double? { Double(number) }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
