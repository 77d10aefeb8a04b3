// SPDX-License-Identifier: MIT

/// A value of 14 bits that comes in two messages: whole with the second of them, in whatever order a controller sends them.
///
/// MIDI 1.0 has the upper 7 bits first, and many controllers the lower ones. The first message tells the order. A stream that is
/// heard from its middle tells the wrong one, which shows where the upper bits change: the wrong pairs jump by 128 and back. The
/// way of the value is summed up for both orders, and the shorter one is right.
///
/// Pure value: [any-thread], never waits, never allocates.
public struct FourteenBitValue: Sendable {
  private enum Half { case upper, lower }

  /// The way of the value in one order.
  private struct Way {
    var last: Int?
    var count = 0
    var length = 0

    @_noLocks @_noAllocation
    mutating func go(to value: Int) {
      length += abs(value - (last ?? value))
      last = value
      count += 1
    }
  }

  /// The detour that proves an order wrong: two wrong jumps and back.
  private static var detour: Int { @_noLocks @_noAllocation get { 512 } }
  /// Ways are halved from here on, so that the newest moves count.
  private static var longWay: Int { @_noLocks @_noAllocation get { 65_536 } }

  private var upper: Int?
  private var lower: Int?
  private var lastHalf: Half?
  private var first: Half?
  private var ways: (upperFirst: Way, lowerFirst: Way) = (Way(), Way())

  /// Whether the upper bits came twice without the lower ones between: then they may be all that changes.
  private var isLoose = false

  /// Begins without knowledge of the control.
  @_noLocks @_noAllocation
  public init() {}

  /// Whether the lower bits come first; nil while that is not known.
  public var isLowerFirst: Bool? { first.map { $0 == .lower } }

  /// Takes over an order that is known from elsewhere.
  @_noLocks @_noAllocation
  public mutating func know(isLowerFirst: Bool) { first = isLowerFirst ? .lower : .upper }

  /// Takes the upper 7 bits.
  ///
  /// - Returns: The value where it is whole with them; a controller that sends no lower bits reaches the top all the same.
  @_noLocks @_noAllocation
  public mutating func take(upper new: UInt8) -> Int? {
    defer { lastHalf = .upper }
    upper = Int(new)
    guard let lower else { return Int(new) << 7 | Int(new) }
    let whole = Int(new) << 7 | lower
    if lastHalf == .lower { ways.lowerFirst.go(to: whole) }
    if lastHalf == .upper { isLoose = true }
    if first == nil { first = .lower }
    judge()
    return first == .lower || isLoose ? whole : nil
  }

  /// Takes the lower 7 bits.
  ///
  /// - Returns: The value where it is whole with them.
  @_noLocks @_noAllocation
  public mutating func take(lower new: UInt8) -> Int? {
    defer { lastHalf = .lower }
    lower = Int(new)
    guard let upper else { return nil }
    let whole = upper << 7 | Int(new)
    if lastHalf == .upper { ways.upperFirst.go(to: whole) }
    if first == nil { first = .upper }
    judge()
    // A fine move may come without the upper bits.
    return first == .upper || lastHalf == .lower ? whole : nil
  }

  /// Goes one step up or down, where both halves have come.
  ///
  /// - Returns: The value.
  mutating func step(_ steps: Int) -> Int? {
    guard let upper else { return nil }
    let next = min(max((upper << 7 | (lower ?? upper)) + steps, 0), 16_383)
    (self.upper, self.lower) = (next >> 7, next & 0x7F)
    return next
  }

  @_noLocks @_noAllocation
  private mutating func judge() {
    // Ways of as many steps: one that lacks the newest is shorter for that.
    guard ways.upperFirst.count == ways.lowerFirst.count else { return }
    let lengths = (ways.upperFirst.length, ways.lowerFirst.length)
    if first == .upper, lengths.0 > lengths.1 + lengths.1 / 2 + Self.detour { first = .lower }
    if first == .lower, lengths.1 > lengths.0 + lengths.0 / 2 + Self.detour { first = .upper }
    guard max(lengths.0, lengths.1) > Self.longWay else { return }
    ways.upperFirst.length /= 2
    ways.lowerFirst.length /= 2
  }
}
