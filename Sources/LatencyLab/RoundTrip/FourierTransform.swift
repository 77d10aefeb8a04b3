// SPDX-License-Identifier: MIT

import Glibc

/// Complex values, kept as two arrays.
///
/// Pure value: [any-thread].
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

/// A complex Fourier transform of a power-of-two length.
///
/// Pure value: [any-thread].
struct FourierTransform: Sendable {
  let count: Int
  private let cosines: [Double]
  private let sines: [Double]

  /// Prepares a transform.
  ///
  /// - Parameter minimumCount: Least length; rounded up to a power of two, at least 2.
  init(minimumCount: Int) {
    var count = 2
    while count < minimumCount { count *= 2 }
    self.count = count
    let step = 2 * Double.pi / Double(count)
    cosines = (0..<count / 2).map { cos(step * Double($0)) }
    sines = (0..<count / 2).map { sin(step * Double($0)) }
  }

  /// `Σ xₙ e^(−2πikn/N)` of real samples, missing ones being zero.
  func forward(_ samples: some Collection<Float>) -> Spectrum {
    var spectrum = Spectrum(count: count)
    for (index, sample) in samples.prefix(count).enumerated() {
      spectrum.real[index] = Double(sample)
    }
    run(&spectrum, direction: -1)
    return spectrum
  }

  /// `Σ Xₖ e^(2πikn/N)`, not divided by the length.
  func backward(_ spectrum: Spectrum) -> Spectrum {
    var result = spectrum
    run(&result, direction: 1)
    return result
  }

  /// Radix 2, decimation in time.
  ///
  /// Pointers, as arrays make it ten times slower in debug builds.
  private func run(_ spectrum: inout Spectrum, direction: Double) {
    let count = self.count
    unsafe spectrum.real.withUnsafeMutableBufferPointer { realBuffer in
      unsafe spectrum.imaginary.withUnsafeMutableBufferPointer { imaginaryBuffer in
        unsafe cosines.withUnsafeBufferPointer { cosineBuffer in
          unsafe sines.withUnsafeBufferPointer { sineBuffer in
            guard let re = realBuffer.baseAddress, let im = imaginaryBuffer.baseAddress,
              let co = cosineBuffer.baseAddress, let si = sineBuffer.baseAddress
            else { return }
            unsafe Self.permute(re, im, count)
            var half = 1
            while half < count {
              let stride = count / (2 * half)
              var start = 0
              while start < count {
                var offset = 0
                while offset < half {
                  let wr = unsafe co[offset &* stride]
                  let wi = unsafe direction * si[offset &* stride]
                  let low = start &+ offset
                  let high = low &+ half
                  let hr = unsafe re[high] * wr - im[high] * wi
                  let hi = unsafe re[high] * wi + im[high] * wr
                  unsafe re[high] = re[low] - hr
                  unsafe im[high] = im[low] - hi
                  unsafe re[low] += hr
                  unsafe im[low] += hi
                  offset &+= 1
                }
                start &+= 2 &* half
              }
              half &*= 2
            }
          }
        }
      }
    }
  }

  /// Puts the elements into bit-reversed order.
  private static func permute(
    _ re: UnsafeMutablePointer<Double>,
    _ im: UnsafeMutablePointer<Double>,
    _ count: Int,
  ) {
    var reversed = 0
    var index = 1
    while index < count {
      var bit = count >> 1
      while reversed & bit != 0 {
        reversed ^= bit
        bit >>= 1
      }
      reversed |= bit
      if index < reversed {
        let (r, i) = unsafe (re[index], im[index])
        unsafe re[index] = re[reversed]
        unsafe im[index] = im[reversed]
        unsafe re[reversed] = r
        unsafe im[reversed] = i
      }
      index &+= 1
    }
  }
}
