// SPDX-License-Identifier: MIT

import Glibc

/// The sine that lies closest to samples: amplitude, frequency, phase and offset by least squares.
///
/// Pure value: [any-thread].
struct SineFit {
  /// The frequency in cycles per sample.
  let frequency: Double
  /// The amplitude.
  let amplitude: Double
  /// The phase at the middle of the samples, in radians.
  let middlePhase: Double
  /// Signal to noise and distortion in dB: all that is not the sine is noise.
  let sinadDB: Double

  /// Fits a sine.
  ///
  /// - Parameters:
  ///   - samples: The samples.
  ///   - guess: The frequency nearby, in cycles per sample; nil without a fit.
  init?(_ samples: ArraySlice<Float>, near guess: Double) {
    guard samples.count > 16 else { return nil }
    let middle = Double(samples.count - 1) / 2
    var frequency = guess
    var solution = [0.0, 0.0, 0.0, 0.0]
    // Each round fits cosine, sine, offset, and how the frequency must change: Gauss-Newton.
    for _ in 0..<4 {
      guard let found = Self.solve(samples, frequency, middle, solution[0], solution[1]) else {
        return nil
      }
      solution = found
      // Without such a tone the iteration would diverge.
      frequency = max(0.98 * guess, min(1.02 * guess, frequency + found[3]))
    }
    guard let final = Self.solve(samples, frequency, middle, solution[0], solution[1]) else {
      return nil
    }
    solution = final
    let (cosine, sine, offset) = (solution[0], solution[1], solution[2])
    var noise = 0.0
    for (index, sample) in samples.enumerated() {
      let angle = 2 * Double.pi * frequency * (Double(index) - middle)
      let rest = Double(sample) - cosine * cos(angle) - sine * sin(angle) - offset
      noise += rest * rest
    }
    let power = (cosine * cosine + sine * sine) / 2 * Double(samples.count)
    guard power > 0, power.isFinite else { return nil }
    self.frequency = frequency
    amplitude = (cosine * cosine + sine * sine).squareRoot()
    // cosine × cos x + sine × sin x is a sine with the phase atan2(cosine, sine).
    middlePhase = atan2(cosine, sine)
    sinadDB = noise > 0 ? min(200, 10 * log10(power / noise)) : 200
  }

  /// Solves the normal equations of one round; nil where they have no solution.
  private static func solve(
    _ samples: ArraySlice<Float>,
    _ frequency: Double,
    _ middle: Double,
    _ lastCosine: Double,
    _ lastSine: Double,
  ) -> [Double]? {
    let withFrequency = lastCosine != 0 || lastSine != 0
    let size = withFrequency ? 4 : 3
    var matrix = [[Double]](repeating: [Double](repeating: 0, count: size + 1), count: size)
    var row = [Double](repeating: 0, count: size + 1)
    for (index, sample) in samples.enumerated() {
      let time = 2 * Double.pi * (Double(index) - middle)
      row[0] = cos(frequency * time)
      row[1] = sin(frequency * time)
      row[2] = 1
      if withFrequency { row[3] = time * (lastSine * row[0] - lastCosine * row[1]) }
      row[size] = Double(sample)
      for i in 0..<size {
        for j in i...size { matrix[i][j] += row[i] * row[j] }
      }
    }
    for i in 0..<size {
      for j in 0..<i { matrix[i][j] = matrix[j][i] }
    }
    guard var solution = eliminate(&matrix) else { return nil }
    if !withFrequency { solution.append(0) }
    return solution
  }

  /// Gaussian elimination with pivots.
  private static func eliminate(_ matrix: inout [[Double]]) -> [Double]? {
    let size = matrix.count
    for column in 0..<size {
      guard
        let pivot = (column..<size).max(by: { abs(matrix[$0][column]) < abs(matrix[$1][column]) }),
        abs(matrix[pivot][column]) > 1e-12
      else { return nil }
      matrix.swapAt(column, pivot)
      for row in 0..<size where row != column {
        let factor = matrix[row][column] / matrix[column][column]
        for index in column...size { matrix[row][index] -= factor * matrix[column][index] }
      }
    }
    return (0..<size).map { matrix[$0][size] / matrix[$0][$0] }
  }
}
