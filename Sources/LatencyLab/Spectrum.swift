// SPDX-License-Identifier: MIT

/// Complex values, kept as two arrays.
struct Spectrum: Sendable {
  var real: [Double]
  var imaginary: [Double]

  init(count: Int) {
    real = [Double](repeating: 0, count: count)
    imaginary = [Double](repeating: 0, count: count)
  }

  /// Squared magnitude of an element.
  func power(at index: Int) -> Double {
    real[index] * real[index] + imaginary[index] * imaginary[index]
  }
}
