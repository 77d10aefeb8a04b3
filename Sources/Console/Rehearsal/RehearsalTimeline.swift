// SPDX-License-Identifier: MIT

public import Sessions
internal import XML

/// A rehearsal as a picture: a row for each session, coloured by how it is heard, with the reasons as titles.
///
/// Pure value: [any-thread].
public struct RehearsalTimeline {
  private static let (left, right, top, rowHeight) = (150.0, 24.0, 64.0, 34.0)
  private static let plotWidth = 900.0

  private let rehearsals: [(title: String, rehearsal: Rehearsal)]
  private let endNanoseconds: UInt64

  /// Makes a picture of one rehearsal, or of several one below the other.
  ///
  /// - Parameter rehearsals: Each with the name of its policy.
  public init(_ rehearsals: [(title: String, rehearsal: Rehearsal)]) {
    self.rehearsals = rehearsals
    let last = rehearsals.flatMap { $0.rehearsal.moments.map(\.offsetNanoseconds) }.max() ?? 0
    // The states after the last event are seen, too.
    endNanoseconds = max(1_000_000_000, last + last / 12)
  }

  /// The picture as a document of SVG.
  public var svg: String {
    let height =
      Self.top + rehearsals.reduce(0) { $0 + blockHeight($1.rehearsal) } + 20
    let root = XMLElement(
      "svg",
      [
        ("xmlns", "http://www.w3.org/2000/svg"),
        ("viewBox", "0 0 \(number(Self.left + Self.plotWidth + Self.right)) \(number(height))"),
        ("font-family", "sans-serif"), ("font-size", "13"),
      ]
    )
    root.addChild(
      XMLElement("rect", [("width", "100%"), ("height", "100%"), ("fill", "#ffffff")])
    )
    addLegend(to: root)
    var y = Self.top
    for (title, rehearsal) in rehearsals {
      add(rehearsal, titled: title, at: y, to: root)
      y += blockHeight(rehearsal)
    }
    return root.document()
  }

  private func blockHeight(_ rehearsal: Rehearsal) -> Double {
    Double(rehearsal.names.count) * Self.rowHeight + 70
  }

  // MARK: - Parts

  private func addLegend(to root: XMLElement) {
    var x = Self.left
    for state in Standing.State.allCases {
      root.addChild(
        XMLElement(
          "rect",
          [
            ("x", number(x)), ("y", "14"), ("width", "14"), ("height", "14"),
            ("fill", Self.color(state)),
          ]
        )
      )
      root.addChild(text(Self.label(state), x: x + 20, y: 26))
      x += 130
    }
  }

  private func add(
    _ rehearsal: Rehearsal,
    titled title: String,
    at y: Double,
    to root: XMLElement,
  ) {
    root.addChild(text(title, x: 12, y: y, [("font-weight", "bold")]))
    let names = rehearsal.names
    let top = y + 14
    let bottom = top + Double(names.count) * Self.rowHeight
    for moment in rehearsal.moments where !moment.changes.isEmpty {
      let line = XMLElement(
        "line",
        [
          ("x1", number(x(moment.offsetNanoseconds))), ("y1", number(top)),
          ("x2", number(x(moment.offsetNanoseconds))), ("y2", number(bottom + 6)),
          ("stroke", "#9aa4ae"), ("stroke-dasharray", "2 3"),
        ]
      )
      line.addChild(
        titleElement(
          "\(RehearsalView.seconds(moment.offsetNanoseconds)): \(moment.event)"
        )
      )
      root.addChild(line)
    }
    for (row, name) in names.enumerated() {
      let rowTop = top + Double(row) * Self.rowHeight
      root.addChild(text(shortened(name), x: 12, y: rowTop + 22))
      for span in spans(of: name, in: rehearsal) { root.addChild(rectangle(span, at: rowTop)) }
    }
    addAxis(at: bottom + 6, to: root)
  }

  private func addAxis(at y: Double, to root: XMLElement) {
    root.addChild(
      XMLElement(
        "line",
        [
          ("x1", number(Self.left)), ("y1", number(y)),
          ("x2", number(Self.left + Self.plotWidth)), ("y2", number(y)), ("stroke", "#59636e"),
        ]
      )
    )
    let seconds = Double(endNanoseconds) / 1e9
    let step = Self.step(for: seconds)
    for tick in stride(from: 0, through: seconds, by: step) {
      let place = x(UInt64(tick * 1e9))
      root.addChild(
        text(
          "\(number(tick)) s",
          x: place,
          y: y + 18,
          [("text-anchor", "middle"), ("fill", "#59636e")]
        )
      )
    }
  }

  // MARK: - States

  private struct Span {
    let from: UInt64
    let to: UInt64
    let standing: Standing
    let event: String
  }

  private func spans(of name: String, in rehearsal: Rehearsal) -> [Span] {
    var spans: [Span] = []
    var open: (from: UInt64, standing: Standing, event: String)?
    func close(at time: UInt64) {
      guard let begun = open else { return }
      if time > begun.from {
        spans.append(Span(from: begun.from, to: time, standing: begun.standing, event: begun.event))
      }
      open = nil
    }
    for moment in rehearsal.moments {
      guard let change = moment.changes.first(where: { $0.name == name }) else { continue }
      close(at: moment.offsetNanoseconds)
      if let standing = change.after {
        open = (moment.offsetNanoseconds, standing, moment.event)
      }
    }
    close(at: endNanoseconds)
    return spans
  }

  private func rectangle(_ span: Span, at y: Double) -> XMLElement {
    let isLowered = span.standing.state == .lowered
    let inset = isLowered ? 10.0 : 4
    let rectangle = XMLElement(
      "rect",
      [
        ("x", number(x(span.from))), ("y", number(y + inset)),
        ("width", number(max(1, x(span.to) - x(span.from)))),
        ("height", number(Self.rowHeight - 4 - inset)), ("rx", "3"),
        ("fill", Self.color(span.standing.state)),
      ]
    )
    let rule = span.standing.rule.map { " (\($0.rawValue))" } ?? ""
    let from = RehearsalView.seconds(span.from)
    rectangle.addChild(
      titleElement("from \(from), \(span.event): \(span.standing.phrase)\(rule)")
    )
    return rectangle
  }

  private static func color(_ state: Standing.State) -> String {
    switch state {
    case .heard: "#2e9e5b"
    case .lowered: "#e0a72e"
    case .interrupted: "#d3493f"
    case .silent: "#8a94a0"
    case .inactive: "#dde2e7"
    case .leftAlone: "#4f8ff0"
    }
  }

  private static func label(_ state: Standing.State) -> String {
    state == .leftAlone ? "left alone" : state.rawValue
  }

  // MARK: - Elements

  private func x(_ nanoseconds: UInt64) -> Double {
    Self.left + Double(nanoseconds) / Double(endNanoseconds) * Self.plotWidth
  }

  private static func step(for seconds: Double) -> Double {
    let steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_800, 3_600, 21_600]
    return steps.first { seconds / $0 <= 12 } ?? seconds / 10
  }

  private func number(_ value: Double) -> String {
    let rounded = (value * 100).rounded() / 100
    return rounded.rounded() == rounded ? "\(Int(rounded))" : "\(rounded)"
  }

  private func shortened(_ name: String) -> String {
    name.count > 18 ? name.prefix(17) + "…" : name
  }

  private func text(
    _ content: String,
    x: Double,
    y: Double,
    _ attributes: [(String, String)] = [],
  ) -> XMLElement {
    let element = XMLElement("text", [("x", number(x)), ("y", number(y))] + attributes)
    element.text = ShownText.clean(content)
    return element
  }

  private func titleElement(_ content: String) -> XMLElement {
    let title = XMLElement("title")
    title.text = ShownText.clean(content)
    return title
  }
}
