// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import Realtime

/// `scripts/test-model gains` proves that both never fall; here they are compared with the C library.
@Suite("Fast mathematics")
struct FastMathTests {
  @Test("powers of two are within 1 part in 10⁷, at whole exponents exact")
  func powers() {
    for exponent in stride(from: Float(-126), through: 126, by: 0.0625) {
      let exact = exp2(Double(exponent))
      #expect(abs(Double(fastExp2(exponent)) / exact - 1) < 1e-7, "2 to the \(exponent)")
    }
    for exponent in -126...126 {
      #expect(fastExp2(Float(exponent)) == Float(sign: .plus, exponent: exponent, significand: 1))
    }
  }

  @Test("exponents beyond the range stay at its ends")
  func limits() {
    #expect(fastExp2(1000) == fastExp2(126))
    #expect(fastExp2(.infinity) == fastExp2(126))
    #expect(fastExp2(-1000) == fastExp2(-126))
    #expect(fastExp2(-.infinity) == fastExp2(-126))
  }

  @Test("logarithms are within 1 part in 10⁷, of powers of two exact")
  func logarithms() {
    for exponent in stride(from: -126.0, to: 127, by: 0.062_7) {
      let value = Float(exp2(exponent))
      let exact = log2(Double(value))
      #expect(abs(Double(fastLog2(value)) - exact) <= 1e-7 * max(1, abs(exact)), "of \(value)")
    }
    for exponent in -126...127 {
      let value = Float(sign: .plus, exponent: exponent, significand: 1)
      #expect(fastLog2(value) == Float(exponent))
    }
  }

  @Test(
    "no term of the series is missing: the results are rounded as exact ones are, all but never"
  )
  func rounding() {
    var powers = 0
    var logarithms = 0
    for point in 0...60_000 {
      let exponent = Float(-126 + 252 * Double(point) / 60_000)
      if fastExp2(exponent) != Float(exp2(Double(exponent))) { powers += 1 }
      let value = Float(0.5 + 1.5 * Double(point) / 60_000)
      if fastLog2(value) != Float(log2(Double(value))) { logarithms += 1 }
    }
    #expect(powers <= 1)
    #expect(logarithms <= 10)
  }
}
