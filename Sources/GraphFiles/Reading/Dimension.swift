// SPDX-License-Identifier: MIT

/// What a value with a unit measures, and the units it may have.
struct Dimension {
  /// What the value is, with its article, for messages.
  let noun: String
  /// Each unit with its size in the unit that values are read into.
  let units: [(symbol: String, size: Double)]
  /// The unit put after a bare number when the message shows the fix.
  let usualUnit: String
  /// Whether `-inf` is a value.
  let allowsMinusInfinity: Bool

  /// Durations, read in nanoseconds.
  static let duration = Dimension(
    noun: "a duration",
    units: [
      ("ns", 1), ("µs", 1e3), ("us", 1e3), ("μs", 1e3), ("ms", 1e6), ("s", 1e9), ("min", 60e9),
      ("h", 3_600e9),
    ],
    usualUnit: "ms",
    allowsMinusInfinity: false,
  )

  /// Frequencies and rates, read in hertz.
  static let frequency = Dimension(
    noun: "a frequency",
    units: [("Hz", 1), ("kHz", 1e3)],
    usualUnit: "Hz",
    allowsMinusInfinity: false,
  )

  /// Gains and levels, read in decibels.
  static let gain = Dimension(
    noun: "a gain",
    units: [("dB", 1)],
    usualUnit: "dB",
    allowsMinusInfinity: true,
  )

  /// Sizes of files, read in bytes.
  static let size = Dimension(
    noun: "a size",
    units: [("kB", 1e3), ("MB", 1e6), ("GB", 1e9), ("TB", 1e12)],
    usualUnit: "MB",
    allowsMinusInfinity: false,
  )

  /// Positions between two ends, read as numbers: the one dimension whose values may be bare.
  static let proportion = Dimension(
    noun: "a number",
    units: [("", 1), ("%", 0.01)],
    usualUnit: "",
    allowsMinusInfinity: false,
  )

  /// The symbols for messages; the second spelling of µs looks like the first.
  var symbols: String {
    units.map(\.symbol).filter { $0 != "μs" && !$0.isEmpty }.joined(separator: ", ")
  }
}
