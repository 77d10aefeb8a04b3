// SPDX-License-Identifier: MIT

internal import InterAppAudio

extension InterAppAudioError {
  /// Refuses a value out of its range, and what is no number.
  static func check<Value: FloatingPoint>(
    _ name: String,
    _ value: Value,
    in range: ClosedRange<Value>,
    _ unit: String = "",
  ) throws(InterAppAudioError) {
    guard !range.contains(value) else { return }
    throw InterAppAudioError(
      .invalidProperty,
      "\(name) \(value): allowed is \(range.lowerBound) to \(range.upperBound)\(unit)",
    )
  }
}
