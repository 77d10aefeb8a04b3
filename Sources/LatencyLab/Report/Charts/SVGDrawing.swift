// SPDX-License-Identifier: MIT

import Console

/// A drawing in SVG, made of the few shapes that charts need.
///
/// Pure value: [any-thread].
struct SVGDrawing {
  let width: Double
  let height: Double
  private var elements: [String] = []

  init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// The alignment of a text at its point.
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
    for character in ShownText.clean(text) {
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

/// The colors of charts; the series are distinct with any kind of color vision.
///
/// Pure value: [any-thread].
enum Palette {
  static let paper = "#ffffff"
  static let ink = "#222222"
  static let faint = "#666666"
  static let grid = "#e4e4e4"
  static let alarm = "#c8102e"
  /// Okabe and Ito's colors, the yellow darkened.
  static let series = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#444444", "#8a2be2",
  ]

  /// A color from green (0) over yellow to red (1).
  static func heat(_ share: Double) -> String {
    let stops: [(Double, Double, Double)] = [
      (120, 198, 121), (217, 239, 139), (254, 224, 139), (252, 141, 89), (215, 48, 39),
    ]
    let place = max(0, min(1, share)) * Double(stops.count - 1)
    let index = min(Int(place), stops.count - 2)
    let (low, high, part) = (stops[index], stops[index + 1], place - Double(index))
    func mixed(_ a: Double, _ b: Double) -> Int { Int((a + (b - a) * part).rounded()) }
    return "rgb(\(mixed(low.0, high.0)),\(mixed(low.1, high.1)),\(mixed(low.2, high.2)))"
  }
}
