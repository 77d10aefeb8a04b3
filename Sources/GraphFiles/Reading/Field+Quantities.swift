// SPDX-License-Identifier: MIT

internal import Sessions

extension Field {
  /// A duration within `range`.
  func duration(in range: ClosedRange<Duration>) -> Duration? {
    let limits = range.lowerBound.nanoseconds...range.upperBound.nanoseconds
    let allowed = "\(range.lowerBound.graphText) … \(range.upperBound.graphText)"
    return quantity(.duration, in: limits, allowed: allowed).map {
      .nanoseconds(Int64($0.rounded()))
    }
  }

  /// A frequency within `range`, in Hz.
  func frequencyHz(in range: ClosedRange<Double>) -> Double? {
    let allowed = "\(range.lowerBound.graphText) Hz … \(range.upperBound.graphText) Hz"
    return quantity(.frequency, in: range, allowed: allowed)
  }

  /// A gain within `range`, in dB; −∞ if the range begins there.
  func decibels(in range: ClosedRange<Double> = -.infinity...24) -> Double? {
    let allowed = "\(range.lowerBound.graphText) dB … \(range.upperBound.graphText) dB"
    return quantity(.gain, in: range, allowed: allowed)
  }

  /// A number of bytes within `range`.
  func bytes(in range: ClosedRange<Double>) -> Int? {
    let allowed =
      "\((range.lowerBound / 1e6).graphText) MB … \((range.upperBound / 1e12).graphText) TB"
    return quantity(.size, in: range, allowed: allowed).map { Int($0.rounded()) }
  }

  /// A place between two ends, −1…1.
  func balance() -> Double? {
    quantity(.proportion, in: -1...1, allowed: "-1 … 1 or -100 % … 100 %")
  }

  /// A part of the whole, 0…1.
  func share() -> Double? {
    quantity(.proportion, in: 0...1, allowed: "0 … 1 or 0 % … 100 %")
  }

  /// A whole number within `range`, without a unit.
  func integer(in range: ClosedRange<Int>) -> Int? {
    let allowed = "\(range.lowerBound) … \(range.upperBound)"
    guard let text = scalar(allowed: "a whole number \(allowed)") else { return nil }
    guard let value = Int(text) else {
      let number = NumberText(text)
      let fix = Int(number.number).map { " (write '\($0)')" } ?? ""
      error("\(MessageText.quoted(text)) is not a whole number\(fix); allowed: \(allowed)")
      return nil
    }
    guard range.contains(value) else {
      error("\(value) is out of range; allowed: \(allowed)")
      return nil
    }
    return value
  }

  /// A number with a unit of `dimension`, in that dimension's first unit.
  private func quantity(
    _ dimension: Dimension,
    in range: ClosedRange<Double>,
    allowed: String,
  ) -> Double? {
    guard let text = scalar(allowed: "\(dimension.noun), \(allowed)") else { return nil }
    do throws(QuantityFault) {
      return try dimension.value(of: text, in: range, allowed: allowed)
    } catch {
      self.error(error.description)
      return nil
    }
  }
}
