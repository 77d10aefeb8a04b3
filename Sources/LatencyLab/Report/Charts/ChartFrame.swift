// SPDX-License-Identifier: MIT

/// The axes, grid, titles and legend that charts have in common.
///
/// Pure value: [any-thread].
struct ChartFrame {
  var title: String
  var horizontalTitle: String
  var verticalTitle: String
  var horizontal: ChartScale
  var vertical: ChartScale
  /// Ticks of the horizontal axis with their labels; nil takes those of the scale.
  var horizontalTicks: [(value: Double, label: String)]?
  var legend: [(name: String, color: String, dashes: String?)]

  static let width = 860.0
  static let plotHeight = 340.0
  private static let left = 78.0
  private static let right = 24.0
  private static let top = 48.0
  private static let bottom = 58.0
  private static let legendRow = 20.0
  private static let legendColumns = 3

  private var legendHeight: Double {
    let rows = (legend.count + Self.legendColumns - 1) / Self.legendColumns
    return Double(rows) * Self.legendRow + (rows > 0 ? 8 : 0)
  }

  /// Place of a value pair in the drawing.
  func point(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    (
      Self.left + horizontal.share(of: x) * (Self.width - Self.left - Self.right),
      Self.top + (1 - vertical.share(of: y)) * Self.plotHeight
    )
  }

  /// A drawing with everything but the data.
  func makeDrawing() -> SVGDrawing {
    let height = Self.top + Self.plotHeight + Self.bottom + legendHeight
    var drawing = SVGDrawing(width: Self.width, height: height)
    drawing.text(title, at: (Self.left, 28), size: 16, isBold: true)
    let floor = Self.top + Self.plotHeight
    for tick in vertical.ticks {
      let y = point(horizontal.minimum, tick).y
      drawing.line(
        from: (Self.left, y),
        to: (Self.width - Self.right, y),
        color: Palette.grid
      )
      drawing.text(
        ChartScale.label(tick),
        at: (Self.left - 8, y + 4),
        color: Palette.faint,
        anchor: .end
      )
    }
    let ticks = horizontalTicks ?? horizontal.ticks.map { ($0, ChartScale.label($0)) }
    for tick in ticks {
      let x = point(tick.value, vertical.minimum).x
      drawing.line(from: (x, Self.top), to: (x, floor), color: Palette.grid)
      drawing.text(tick.label, at: (x, floor + 18), color: Palette.faint, anchor: .middle)
    }
    drawing.line(from: (Self.left, floor), to: (Self.width - Self.right, floor), color: Palette.ink)
    let middle = Self.left + (Self.width - Self.left - Self.right) / 2
    drawing.text(horizontalTitle, at: (middle, floor + 40), size: 13, anchor: .middle)
    drawing.text(
      verticalTitle,
      at: (20, Self.top + Self.plotHeight / 2),
      size: 13,
      anchor: .middle,
      turned: true,
    )
    drawLegend(into: &drawing, below: floor + Self.bottom)
    return drawing
  }

  private func drawLegend(into drawing: inout SVGDrawing, below top: Double) {
    let columnWidth = (Self.width - Self.left - Self.right) / Double(Self.legendColumns)
    for (index, entry) in legend.enumerated() {
      let x = Self.left + Double(index % Self.legendColumns) * columnWidth
      let y = top + Double(index / Self.legendColumns) * Self.legendRow + 4
      drawing.line(
        from: (x, y),
        to: (x + 26, y),
        color: entry.color,
        width: 3,
        dashes: entry.dashes
      )
      drawing.text(entry.name, at: (x + 32, y + 4))
    }
  }
}
