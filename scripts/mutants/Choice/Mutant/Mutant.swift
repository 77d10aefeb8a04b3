// SPDX-License-Identifier: MIT

public import CMutant

/// The operators of the rewritten sources: each is another one if its mutant is the chosen one.
///
/// All are inlined, so that the compiler can prove them free of locks. Pure functions: [any-thread].
public enum Mutant {
  /// A condition; its opposite in the mutant.
  @_transparent
  public static func flip(_ number: Int32, _ value: Bool) -> Bool { mutant_is(number) != value }

  /// A guard's condition; it always holds in the mutant.
  @_transparent
  public static func pass(_ number: Int32, _ value: Bool) -> Bool { mutant_is(number) || value }

  /// The first of two literals; the other one in the mutant.
  @_transparent
  public static func literal<T: ExpressibleByIntegerLiteral>(
    _ number: Int32,
    _ value: T,
    _ other: T,
  ) -> T {
    mutant_is(number) ? other : value
  }

  // MARK: - Comparisons

  /// `<`; `<=` in the mutant.
  @_transparent
  public static func less<T: Comparable>(_ number: Int32, _ a: T, _ b: T) -> Bool {
    mutant_is(number) ? a <= b : a < b
  }

  /// `<=`; `<` in the mutant.
  @_transparent
  public static func atMost<T: Comparable>(_ number: Int32, _ a: T, _ b: T) -> Bool {
    mutant_is(number) ? a < b : a <= b
  }

  /// `>`; `>=` in the mutant.
  @_transparent
  public static func more<T: Comparable>(_ number: Int32, _ a: T, _ b: T) -> Bool {
    mutant_is(number) ? a >= b : a > b
  }

  /// `>=`; `>` in the mutant.
  @_transparent
  public static func atLeast<T: Comparable>(_ number: Int32, _ a: T, _ b: T) -> Bool {
    mutant_is(number) ? a > b : a >= b
  }

  /// The smaller value; the larger one in the mutant.
  @_transparent
  public static func min<T: Comparable>(_ number: Int32, _ a: T, _ b: T) -> T {
    mutant_is(number) ? Swift.max(a, b) : Swift.min(a, b)
  }

  /// The larger value; the smaller one in the mutant.
  @_transparent
  public static func max<T: Comparable>(_ number: Int32, _ a: T, _ b: T) -> T {
    mutant_is(number) ? Swift.min(a, b) : Swift.max(a, b)
  }

  // MARK: - Sums

  /// `+`; `-` in the mutant.
  @_transparent
  public static func plus<T: AdditiveArithmetic>(_ number: Int32, _ a: T, _ b: T) -> T {
    mutant_is(number) ? a - b : a + b
  }

  /// `-`; `+` in the mutant.
  @_transparent
  public static func minus<T: AdditiveArithmetic>(_ number: Int32, _ a: T, _ b: T) -> T {
    mutant_is(number) ? a + b : a - b
  }

  /// `+`; `-` in the mutant.
  @_transparent
  public static func plus<T>(
    _ number: Int32,
    _ a: UnsafeMutablePointer<T>,
    _ b: Int,
  ) -> UnsafeMutablePointer<T> {
    mutant_is(number) ? a - b : a + b
  }

  /// `+`; `-` in the mutant.
  @_transparent
  public static func plus<T>(
    _ number: Int32,
    _ a: UnsafePointer<T>,
    _ b: Int,
  ) -> UnsafePointer<T> {
    mutant_is(number) ? a - b : a + b
  }

  /// `+=`; `-=` in the mutant.
  @_transparent
  public static func add<T: AdditiveArithmetic>(_ number: Int32, _ a: inout T, _ b: T) {
    if mutant_is(number) { a -= b } else { a += b }
  }

  /// `-=`; `+=` in the mutant.
  @_transparent
  public static func subtract<T: AdditiveArithmetic>(_ number: Int32, _ a: inout T, _ b: T) {
    if mutant_is(number) { a += b } else { a -= b }
  }

  /// `&+`; `&-` in the mutant.
  @_transparent
  public static func wrappingPlus<T: FixedWidthInteger>(_ number: Int32, _ a: T, _ b: T) -> T {
    mutant_is(number) ? a &- b : a &+ b
  }

  /// `&-`; `&+` in the mutant.
  @_transparent
  public static func wrappingMinus<T: FixedWidthInteger>(_ number: Int32, _ a: T, _ b: T) -> T {
    mutant_is(number) ? a &+ b : a &- b
  }

  // MARK: - Products

  /// `*`; `/` in the mutant.
  @_transparent
  public static func times<T: BinaryInteger>(_ number: Int32, _ a: T, _ b: T) -> T {
    mutant_is(number) ? a / b : a * b
  }

  /// `*`; `/` in the mutant.
  @_transparent
  public static func times<T: FloatingPoint>(_ number: Int32, _ a: T, _ b: T) -> T {
    mutant_is(number) ? a / b : a * b
  }

  /// `/`; `*` in the mutant.
  @_transparent
  public static func over<T: BinaryInteger>(_ number: Int32, _ a: T, _ b: T) -> T {
    mutant_is(number) ? a * b : a / b
  }

  /// `/`; `*` in the mutant.
  @_transparent
  public static func over<T: FloatingPoint>(_ number: Int32, _ a: T, _ b: T) -> T {
    mutant_is(number) ? a * b : a / b
  }

  /// `%`; `*` in the mutant.
  @_transparent
  public static func modulo<T: BinaryInteger>(_ number: Int32, _ a: T, _ b: T) -> T {
    mutant_is(number) ? a * b : a % b
  }
}
