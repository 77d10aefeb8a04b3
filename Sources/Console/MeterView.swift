// SPDX-License-Identifier: MIT

public import ControlProtocol
internal import Glibc

/// Meters as lines of text: a bar for each channel, its peak and its RMS level in dBFS.
public struct MeterView: Sendable {
  /// The lowest level that a bar shows, in dBFS.
  public static let floorDB = -60.0

  private let barWidth: Int

  /// Makes a view.
  ///
  /// - Parameter columns: The terminal's width in characters; 40 or more are used well.
  public init(columns: Int) {
    barWidth = max(8, min(48, columns - 40))
  }

  /// The lines, routes after strips.
  public func lines(_ meters: Meters) -> [String] {
    let readings = meters.strips.map { ("strip", $0) } + meters.routes.map { ("route", $0) }
    let names = readings.flatMap { kind, reading in
      reading.peak.indices.map { "\(kind) \(reading.id) \($0 + 1)" }
    }
    let width = names.map(\.count).max() ?? 0
    var lines: [String] = []
    for (_, reading) in readings {
      for (peak, rms) in zip(reading.peak, reading.rms) {
        let name = names[lines.count]
        let blanks = String(repeating: " ", count: width - name.count)
        lines.append("\(name)\(blanks) \(bar(peak: peak, rms: rms)) \(levels(peak, rms))")
      }
    }
    return lines
  }

  /// One line for pipes: each channel's peak in dBFS.
  public static func plainLine(_ meters: Meters) -> String {
    (meters.strips + meters.routes).map { reading in
      "\(reading.id) " + reading.peak.map { Figures.decibels(decibels($0)) }.joined(separator: " ")
    }.joined(separator: " | ")
  }

  /// `=` up to the RMS level, `-` from there to the peak.
  private func bar(peak: Float, rms: Float) -> String {
    let peakCells = cells(peak)
    let rmsCells = min(cells(rms), peakCells)
    return "[" + String(repeating: "=", count: rmsCells)
      + String(repeating: "-", count: peakCells - rmsCells)
      + String(repeating: " ", count: barWidth - peakCells) + "]"
  }

  private func cells(_ level: Float) -> Int {
    // Silence is minus infinity, and a broken signal anything: clamped before it becomes a number.
    let decibels = max(Self.floorDB, min(0, Self.decibels(level)))
    let share = (decibels - Self.floorDB) / -Self.floorDB
    return Int((share * Double(barWidth)).rounded())
  }

  private func levels(_ peak: Float, _ rms: Float) -> String {
    let texts = [peak, rms].map { Figures.decibels(Self.decibels($0)) }
    return texts.map { String(repeating: " ", count: max(0, 9 - $0.count)) + $0 }.joined()
  }
}

extension MeterView {
  /// A linear amplitude in dBFS.
  static func decibels(_ level: Float) -> Double {
    level > 0 ? 20 * log10(Double(level)) : -.infinity
  }
}
