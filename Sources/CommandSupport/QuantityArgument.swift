// SPDX-License-Identifier: MIT

import ArgumentParser
import GraphFiles

/// Gains, times and rates on the command line, with the units of graph files.
///
/// A number without a unit has the unit that the option had before units were taken: decibels for a gain, and for a
/// time the one in the function's name.
///
/// Each function throws a usage error with the allowed values. [any-thread]
public enum QuantityArgument {
  /// A gain in decibels: `-6dB`, `-6`, or `-inf` for silence.
  public static func gainDB(_ text: String) throws -> Double {
    try read(
      text,
      .gain,
      in: -.infinity...24,
      bareUnit: "dB",
      allowed: "up to 24 dB, such as -6dB, or -inf for silence",
    )
  }

  /// A gain in decibels with limits of its own, which the error names.
  public static func gainDB(_ text: String, in range: ClosedRange<Double>) throws -> Double {
    let allowed = "\(range.lowerBound.graphText)dB to \(range.upperBound.graphText)dB"
    return try read(text, .gain, in: range, bareUnit: "dB", allowed: allowed)
  }

  /// A time in milliseconds: `20ms`, `3s`.
  public static func milliseconds(_ text: String) throws -> Double {
    try duration(text, bareUnit: "ms") / 1e6
  }

  /// A time in seconds: `3s`, `250ms`, `5min`.
  public static func seconds(_ text: String) throws -> Double {
    try duration(text, bareUnit: "s") / 1e9
  }

  /// A time in seconds with limits of its own, which the error names.
  public static func seconds(_ text: String, in range: ClosedRange<Double>) throws -> Double {
    let (shortest, longest) = (range.lowerBound * 1e9, range.upperBound * 1e9)
    let allowed = [shortest, longest]
      .map { Duration.nanoseconds(Int64($0.rounded())).graphText.replacing(" ", with: "") }
      .joined(separator: " to ")
    return try read(
      text,
      .duration,
      in: shortest...longest,
      bareUnit: "s",
      allowed: allowed,
    ) / 1e9
  }

  /// A frequency in hertz: `48kHz`, `44100`.
  public static func hertz(_ text: String) throws -> Double {
    try read(
      text,
      .frequency,
      in: 0...768_000,
      bareUnit: "Hz",
      allowed: "0 Hz to 768 kHz, such as 48kHz",
    )
  }

  /// A frequency in hertz, to the next whole number.
  public static func wholeHertz(_ text: String) throws -> Int { Int(try hertz(text).rounded()) }

  /// A number of bytes: `700MB`, `2GB`.
  public static func bytes(_ text: String) throws -> Int {
    // Graph files have no unit for single bytes, and a bare number was one before.
    if let bytes = Int(text) { return bytes }
    return Int(
      try read(text, .size, in: 0...1e15, bareUnit: nil, allowed: "a size such as 700MB or 2GB")
        .rounded()
    )
  }

  /// A position between two ends, −1 to 1: `0.5`, `-50%`.
  public static func position(_ text: String) throws -> Double {
    try read(text, .proportion, in: -1...1, bareUnit: nil, allowed: "-1 to 1, or -100% to 100%")
  }

  /// A part of the whole, 0 to 1: `0.5`, `50%`.
  public static func share(_ text: String) throws -> Double {
    try read(text, .proportion, in: 0...1, bareUnit: nil, allowed: "0 to 1, or 0% to 100%")
  }

  private static func duration(_ text: String, bareUnit: String) throws -> Double {
    try read(
      text,
      .duration,
      in: 0...(1_000 * 3_600e9),
      bareUnit: bareUnit,
      allowed: "0 ms to 1000 h, such as 20ms or 3s",
    )
  }

  private static func read(
    _ text: String,
    _ dimension: Dimension,
    in range: ClosedRange<Double>,
    bareUnit: String?,
    allowed: String,
  ) throws -> Double {
    do throws(QuantityFault) {
      return try dimension.value(of: text, in: range, allowed: allowed, bareUnit: bareUnit)
    } catch {
      throw ValidationError(error.description)
    }
  }
}
