// SPDX-License-Identifier: MIT

/// A colour by which people tell strips and routes apart on displays.
///
/// Pure value: [any-thread].
public struct GraphColor: Sendable, Equatable {
  /// The shares of red, green and blue: `#` and six hexadecimal digits in lower case.
  public let hex: String

  /// The colours that have a name, in shades that can be seen on dark and on light displays.
  static let named: [(name: String, value: GraphColor)] = [
    ("red", "#e5484d"), ("orange", "#f2843c"), ("yellow", "#d9a520"), ("green", "#3fae78"),
    ("cyan", "#2aa7b8"), ("blue", "#4f8ff0"), ("purple", "#9a74ee"), ("pink", "#e06aab"),
    ("grey", "#87919f"),
  ].map { ($0, GraphColor(hex: $1)) }

  /// Reads a name or `#rrggbb`; nil for anything else.
  init?(_ text: String) {
    if let named = Self.named.first(where: { $0.name == text }) {
      self = named.value
      return
    }
    let digits = text.dropFirst()
    guard text.first == "#", digits.utf8.count == 6,
      digits.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
    else { return nil }
    hex = text.lowercased()
  }

  private init(hex: String) { self.hex = hex }
}

extension Field {
  /// A colour: one of the names, or red, green and blue as hexadecimal digits.
  func color() -> GraphColor? {
    let names = GraphColor.named.map(\.name)
    let allowed = names.joined(separator: ", ") + " or red, green and blue as \"#rrggbb\""
    guard let text = scalar(allowed: allowed) else { return nil }
    if let color = GraphColor(text) { return color }
    error(
      "\(MessageText.quoted(text)) is not known" + MessageText.suggestion(for: text, among: names)
        + "; allowed: \(allowed)"
    )
    return nil
  }
}
