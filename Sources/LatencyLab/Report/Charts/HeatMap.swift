// SPDX-License-Identifier: MIT

/// A grid of figures, colored by how good they are.
struct HeatMap {
  /// One field of the grid.
  struct Cell {
    var text: String
    var detail: String
    /// 0 is good, 1 is bad.
    var heat: Double
    /// Whether the detail stands out.
    var isAlarm: Bool
  }

  var title: String
  var subtitle: String
  var columns: [String]
  var rows: [(name: String, cells: [Cell?])]

  private static let left = 190.0
  private static let top = 92.0
  private static let cellWidth = 104.0
  private static let cellHeight = 46.0

  /// Hotter fields are too dark for dark letters.
  private static let hottestForDarkInk = 0.85

  /// The document.
  var svg: String {
    let width = max(640, Self.left + Double(columns.count) * Self.cellWidth + 20)
    let height = Self.top + Double(rows.count) * Self.cellHeight + 20
    var drawing = SVGDrawing(width: width, height: height)
    drawing.text(title, at: (20, 28), size: 16, isBold: true)
    drawing.text(subtitle, at: (20, 50), color: Palette.faint)
    for (column, name) in columns.enumerated() {
      let x = Self.left + (Double(column) + 0.5) * Self.cellWidth
      drawing.text(name, at: (x, Self.top - 12), anchor: .middle)
    }
    for (row, entry) in rows.enumerated() {
      let y = Self.top + Double(row) * Self.cellHeight
      drawing.text(entry.name, at: (Self.left - 12, y + 27), anchor: .end)
      for (column, cell) in entry.cells.enumerated() {
        let x = Self.left + Double(column) * Self.cellWidth
        draw(cell, atX: x, y: y, into: &drawing)
      }
    }
    return drawing.document
  }

  private func draw(_ cell: Cell?, atX x: Double, y: Double, into drawing: inout SVGDrawing) {
    let color = cell.map { Palette.heat($0.heat) } ?? "#f2f2f2"
    drawing.rectangle(
      x: x + 1,
      y: y + 1,
      width: Self.cellWidth - 2,
      height: Self.cellHeight - 2,
      color: color
    )
    let middle = x + Self.cellWidth / 2
    guard let cell else {
      drawing.text("–", at: (middle, y + 27), color: Palette.faint, anchor: .middle)
      return
    }
    let ink = cell.heat > Self.hottestForDarkInk ? Palette.paper : Palette.ink
    drawing.text(cell.text, at: (middle, y + 20), color: ink, anchor: .middle, isBold: true)
    drawing.text(
      cell.detail,
      at: (middle, y + 37),
      size: 11,
      color: ink,
      anchor: .middle,
      isBold: cell.isAlarm,
    )
  }
}
