// SPDX-License-Identifier: MIT

/// The colors of charts; the series can be told apart with any kind of color vision.
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
