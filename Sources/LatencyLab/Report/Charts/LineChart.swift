// SPDX-License-Identifier: MIT

/// Lines over a common axis.
struct LineChart {
  /// One line.
  struct Series {
    var name: String
    var points: [(x: Double, y: Double)]
    var color: String
    var dashes: String?
    var hasDots = false
  }

  var title: String
  var horizontalTitle: String
  var verticalTitle: String
  var horizontal: ChartScale
  var vertical: ChartScale
  var horizontalTicks: [(value: Double, label: String)]?
  var series: [Series]
  /// Vertical lines, such as xruns, with their name in the legend.
  var marks: (name: String, values: [Double])?

  /// The document.
  var svg: String {
    var legend = series.map { (name: $0.name, color: $0.color, dashes: $0.dashes) }
    if let marks, !marks.values.isEmpty { legend.append((marks.name, Palette.alarm, "3 3")) }
    let frame = ChartFrame(
      title: title,
      horizontalTitle: horizontalTitle,
      verticalTitle: verticalTitle,
      horizontal: horizontal,
      vertical: vertical,
      horizontalTicks: horizontalTicks,
      legend: legend,
    )
    var drawing = frame.makeDrawing()
    for value in marks?.values ?? [] {
      drawing.line(
        from: frame.point(value, vertical.minimum),
        to: frame.point(value, vertical.maximum),
        color: Palette.alarm,
        dashes: "3 3",
      )
    }
    for line in series {
      let points = line.points.map { frame.point($0.x, $0.y) }
      drawing.polyline(points, color: line.color, dashes: line.dashes)
      guard line.hasDots || points.count == 1 else { continue }
      for point in points { drawing.circle(at: point, radius: 3.5, color: line.color) }
    }
    return drawing.document
  }
}
