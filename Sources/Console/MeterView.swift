// SPDX-License-Identifier: MIT

public import ControlProtocol
internal import Glibc

/// Meters as lines of text: a bar for each channel, its held peak and its RMS level in dBFS.
///
/// Pure value: [any-thread].
public struct MeterView: Sendable {
  /// The lowest level that a bar shows, in dBFS.
  public static let floorDB = -60.0

  private var hold = PeakHold()

  /// Makes a view that holds no peaks yet.
  public init() {}

  /// One channel, or all channels of a strip or route where there is no room for each.
  private struct Row {
    let name: String
    let peak: Float
    let held: Float
    let rms: Float
  }

  /// The lines, routes after strips, below the names of the figures where there is room for these: at most one less than the
  /// terminal has, none as wide as the terminal.
  ///
  /// So the cursor stands below them, and the terminal neither wraps nor scrolls.
  ///
  /// - Parameters:
  ///   - meters: The levels; their time moves the held peaks.
  ///   - style: The terminal.
  ///   - tap: The tap of all strips; nil for that of each strip.
  /// - Returns: The text line by line.
  public mutating func lines(
    _ meters: Meters,
    style: ScreenStyle,
    tap: MeterTap? = nil,
  ) -> [String] {
    let now = meters.time.monotonicNanoseconds
    let groups =
      meters.strips.map { strip in
        let tap = Self.tap(of: strip, asked: tap)
        return rows(
          strip.levels(at: tap),
          name: "strip \(Self.name(strip, at: tap))",
          isRoute: false,
          now,
        )
      } + meters.routes.map { rows($0, name: "route \($0.id)", isRoute: true, now) }
    let room = max(1, style.rows - 1)
    var visible = groups.flatMap(\.rows)
    if visible.count > room { visible = groups.map { Self.together($0.name, $0.rows) } }
    var left = 0
    if visible.count > room {
      left = visible.count - (room - 1)
      visible = Array(visible.prefix(room - 1))
    }
    let nameWidth = visible.map { WrappedText.columns($0.name) }.max() ?? 0
    let layout = Layout(style: style, nameWidth: nameWidth)
    let header = visible.count < room && left == 0 ? layout.header : nil
    let lines =
      [header].compactMap(\.self)
      + visible.map { layout.line($0.name, peak: $0.peak, held: $0.held, rms: $0.rms) }
    return left > 0 ? lines + [String("\(left) more".prefix(max(1, style.columns - 1)))] : lines
  }

  private mutating func rows(
    _ reading: MixLevels,
    name: String,
    isRoute: Bool,
    _ now: UInt64,
  ) -> (name: String, rows: [Row]) {
    let rows = zip(reading.peak, reading.rms).enumerated().map { index, levels in
      let channel = PeakHold.Channel(isRoute: isRoute, id: reading.id, index: index)
      let held = hold.peak(of: channel, levels.0, atNanoseconds: now)
      // RMS is that of a longer time than the peak, so that it could stand above it.
      return Row(
        name: ShownText.clean("\(name) \(index + 1)"),
        peak: levels.0,
        held: held,
        rms: min(levels.1, held),
      )
    }
    return (ShownText.clean(name), rows)
  }

  private static func together(_ name: String, _ rows: [Row]) -> Row {
    Row(
      name: name,
      peak: rows.map(\.peak).max() ?? 0,
      held: rows.map(\.held).max() ?? 0,
      rms: rows.map(\.rms).max() ?? 0,
    )
  }

  /// One line for pipes: each channel's peak in dBFS.
  ///
  /// - Parameters:
  ///   - meters: The levels.
  ///   - tap: The tap of all strips; nil for that of each strip.
  /// - Returns: The line.
  public static func plainLine(_ meters: Meters, tap: MeterTap? = nil) -> String {
    let strips = meters.strips.map { strip in
      let tap = Self.tap(of: strip, asked: tap)
      return (name: name(strip, at: tap), peak: strip.levels(at: tap).peak)
    }
    let parts = strips + meters.routes.map { (name: $0.id, peak: $0.peak) }
    return parts.map { name, peak in
      "\(name) " + peak.map { Figures.decibels(decibels($0)) }.joined(separator: " ")
    }.joined(separator: " | ")
  }

  /// The tap to show: the one that is asked for, else the strip's; behind the fader for a tap of a later version.
  private static func tap(of strip: StripLevels, asked: MeterTap?) -> MeterTap {
    asked ?? strip.tap ?? .post
  }

  /// The strip's id, marked where its level is not the one behind the fader.
  private static func name(_ strip: StripLevels, at tap: MeterTap) -> String {
    tap == .post ? strip.id : "\(strip.id) (\(tap.rawValue))"
  }
}

extension MeterView {
  /// A linear amplitude in dBFS.
  static func decibels(_ level: Float) -> Double {
    level > 0 ? 20 * log10(Double(level)) : -.infinity
  }

  /// The widths of the parts of a line on one terminal.
  fileprivate struct Layout {
    private static let figureWidth = 9
    private static let widestBar = 48
    private static let narrowestBar = 4

    let style: ScreenStyle
    let nameWidth: Int
    let barWidth: Int
    let hasRMS: Bool

    init(style: ScreenStyle, nameWidth: Int) {
      self.style = style
      // One column stays free: some terminals wrap as soon as the last one is written.
      let columns = style.columns - 1
      let fixed = 1 + 2 + Self.figureWidth
      let both = columns - nameWidth - fixed - Self.figureWidth
      hasRMS = both >= 2 * Self.narrowestBar
      let room = hasRMS ? both : columns - nameWidth - fixed
      barWidth = max(Self.narrowestBar, min(Self.widestBar, room))
      self.nameWidth = max(1, min(nameWidth, columns - fixed - barWidth))
    }

    /// The names of the two figures above them; nil where there is no room for bars.
    var header: String? {
      let names = (hasRMS ? ["peak", "RMS"] : ["peak"]).map(Self.figure)
      return hasBars ? Self.blanks(nameWidth + 2 + barWidth + 1) + names.joined() : nil
    }

    func line(_ name: String, peak: Float, held: Float, rms: Float) -> String {
      let shown = WrappedText.prefix(name, columns: nameWidth)
      let figures = (hasRMS ? [held, rms] : [held]).map {
        Self.figure(Figures.decibels(MeterView.decibels($0)))
      }
      guard hasBars else {
        return WrappedText.prefix("\(shown)\(figures[0])", columns: max(1, style.columns - 1))
      }
      let start = "\(shown)\(Self.blanks(nameWidth - WrappedText.columns(shown))) ["
      return start + bar(peak: peak, held: held, rms: rms) + "]" + figures.joined()
    }

    private var hasBars: Bool {
      nameWidth + 3 + barWidth + Self.figureWidth * (hasRMS ? 2 : 1) < style.columns
    }

    private static func figure(_ text: String) -> String {
      blanks(figureWidth - text.count) + text
    }

    private static func blanks(_ count: Int) -> String {
      String(repeating: " ", count: max(0, count))
    }

    /// Full cells up to the RMS level, light ones from there to the peak, a mark at the held peak.
    private func bar(peak: Float, held: Float, rms: Float) -> String {
      let (full, light, mark) = style.isUnicode ? ("█", "▒", "│") : ("=", "-", "|")
      let peakCells = cells(peak)
      let rmsCells = min(cells(rms), max(peakCells, cells(held)))
      let heldCell = cells(held) - 1
      var text = ""
      var color = ""
      for cell in 0..<barWidth {
        let sign =
          cell < rmsCells
          ? full : cell < peakCells ? light : cell == heldCell && heldCell >= peakCells ? mark : " "
        if style.hasColor, sign != " ", color != Self.color(ofCell: cell, of: barWidth) {
          color = Self.color(ofCell: cell, of: barWidth)
          text += color
        }
        text += sign
      }
      return color.isEmpty ? text : text + "\u{1B}[0m"
    }

    /// Green, yellow from −18 dBFS on, red in the last 3 dB.
    private static func color(ofCell cell: Int, of width: Int) -> String {
      let level = floorDB * (1 - Double(cell + 1) / Double(width))
      return level > -3 ? "\u{1B}[31m" : level > -18 ? "\u{1B}[33m" : "\u{1B}[32m"
    }

    private func cells(_ level: Float) -> Int {
      // Silence is minus infinity, and a broken signal anything: clamped before it becomes a number.
      let decibels = max(floorDB, min(0, MeterView.decibels(level)))
      let share = (decibels - floorDB) / -floorDB
      return Int((share * Double(barWidth)).rounded())
    }
  }
}
