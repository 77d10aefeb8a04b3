// SPDX-License-Identifier: MIT

/// Numbers as the tables print them.
enum Figures {
  /// A number with as many decimals as say something, at most `decimals`.
  static func plain(_ value: Double, decimals: Int = 3) -> String {
    guard value.isFinite else { return value < 0 ? "-inf" : "\(value)" }
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (abs(value) * scale).rounded()
    guard scaled < 9e15 else { return "\(value)" }
    let whole = Int64(scaled) / Int64(scale)
    let fraction = Int64(scaled) % Int64(scale)
    let sign = value < 0 && scaled != 0 ? "-" : ""
    guard fraction != 0 else { return "\(sign)\(whole)" }
    var digits = String(fraction)
    digits = String(repeating: "0", count: decimals - digits.count) + digits
    while digits.last == "0" { digits.removeLast() }
    return "\(sign)\(whole).\(digits)"
  }

  /// A level or gain in dB with one decimal: `-6.0 dB`.
  static func decibels(_ value: Double) -> String {
    guard value.isFinite else { return "-inf dB" }
    let tenths = Int((abs(value) * 10).rounded())
    return "\(value < 0 && tenths != 0 ? "-" : "")\(tenths / 10).\(tenths % 10) dB"
  }

  /// How long it is from one time to another, both in nanoseconds, in whole seconds: `75 s`.
  static func seconds(from start: UInt64, to end: UInt64) -> String {
    "\(end > start ? (end - start) / 1_000_000_000 : 0) s"
  }

  /// A value with its unit; seconds are printed as milliseconds, hertz as they are.
  static func quantity(_ value: Double?, unit: String) -> String {
    guard let value else { return "–" }
    return switch unit {
    case "s": "\(plain(value * 1000)) ms"
    case "": plain(value)
    default: "\(plain(value)) \(unit)"
    }
  }
}
