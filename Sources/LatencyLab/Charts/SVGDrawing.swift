// SPDX-License-Identifier: MIT

/// A drawing in SVG, made of the few shapes that charts need.
struct SVGDrawing {
  let width: Double
  let height: Double
  private var elements: [String] = []

  init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// Where a text hangs from its point.
  enum Anchor: String {
    case start, middle, end
  }

  mutating func line(
    from start: (x: Double, y: Double),
    to end: (x: Double, y: Double),
    color: String,
    width: Double = 1,
    dashes: String? = nil,
  ) {
    let dash = dashes.map { " stroke-dasharray=\"\($0)\"" } ?? ""
    elements.append(
      "<line x1=\"\(Self.text(start.x))\" y1=\"\(Self.text(start.y))\" x2=\"\(Self.text(end.x))\" "
        + "y2=\"\(Self.text(end.y))\" stroke=\"\(color)\" "
        + "stroke-width=\"\(Self.text(width))\"\(dash)/>"
    )
  }

  mutating func polyline(
    _ points: [(x: Double, y: Double)],
    color: String,
    width: Double = 2,
    dashes: String? = nil,
  ) {
    guard points.count > 1 else { return }
    let places = points.map { "\(Self.text($0.x)),\(Self.text($0.y))" }.joined(separator: " ")
    let dash = dashes.map { " stroke-dasharray=\"\($0)\"" } ?? ""
    elements.append(
      "<polyline points=\"\(places)\" fill=\"none\" stroke=\"\(color)\" stroke-linejoin=\"round\" "
        + "stroke-width=\"\(Self.text(width))\"\(dash)/>"
    )
  }

  mutating func circle(at center: (x: Double, y: Double), radius: Double, color: String) {
    elements.append(
      "<circle cx=\"\(Self.text(center.x))\" cy=\"\(Self.text(center.y))\" "
        + "r=\"\(Self.text(radius))\" fill=\"\(color)\"/>"
    )
  }

  mutating func rectangle(
    x: Double,
    y: Double,
    width: Double,
    height: Double,
    color: String,
    tip: String? = nil,
  ) {
    let shape =
      "<rect x=\"\(Self.text(x))\" y=\"\(Self.text(y))\" width=\"\(Self.text(width))\" "
      + "height=\"\(Self.text(height))\" fill=\"\(color)\""
    elements.append(
      tip.map { shape + "><title>\(Self.escaped($0))</title></rect>" } ?? shape + "/>"
    )
  }

  mutating func text(
    _ text: String,
    at point: (x: Double, y: Double),
    size: Double = 12,
    color: String = Palette.ink,
    anchor: Anchor = .start,
    isBold: Bool = false,
    turned: Bool = false,
  ) {
    let turn =
      turned ? " transform=\"rotate(-90 \(Self.text(point.x)) \(Self.text(point.y)))\"" : ""
    let weight = isBold ? " font-weight=\"600\"" : ""
    elements.append(
      "<text x=\"\(Self.text(point.x))\" y=\"\(Self.text(point.y))\" "
        + "font-size=\"\(Self.text(size))\" fill=\"\(color)\" "
        + "text-anchor=\"\(anchor.rawValue)\"\(weight)\(turn)>\(Self.escaped(text))</text>"
    )
  }

  /// The document.
  var document: String {
    let size = "\(Self.text(width)) \(Self.text(height))"
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(size)\" "
      + "width=\"\(Self.text(width))\" height=\"\(Self.text(height))\" "
      + "font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\">\n"
      + "<rect width=\"100%\" height=\"100%\" fill=\"\(Palette.paper)\"/>\n"
      + elements.joined(separator: "\n") + "\n</svg>\n"
  }

  /// A coordinate with two decimals at most.
  private static func text(_ value: Double) -> String {
    let rounded = value.rounded(toPlaces: 2)
    return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
  }

  /// Text as it may stand in a document.
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
    return result
  }
}
