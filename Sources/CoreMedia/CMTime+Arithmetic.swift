// SPDX-License-Identifier: MIT

/// How a time is rounded to another timescale.
public enum CMTimeRoundingMethod: UInt32, Sendable {
  /// To the nearest, halves away from 0.
  case roundHalfAwayFromZero = 1
  /// Towards 0.
  case roundTowardZero = 2
  /// Away from 0.
  case roundAwayFromZero = 3
  /// Towards 0 to a smaller timescale, else away from it.
  case quickTime = 4
  /// Upwards.
  case roundTowardPositiveInfinity = 5
  /// Downwards.
  case roundTowardNegativeInfinity = 6

  /// The same as ``roundHalfAwayFromZero``.
  public static var `default`: CMTimeRoundingMethod { .roundHalfAwayFromZero }

  /// Divides, and rounds the quotient by this method.
  fileprivate func divide(_ dividend: Int128, by divisor: Int128, isFiner: Bool) -> Int128 {
    let (quotient, rest) = dividend.quotientAndRemainder(dividingBy: divisor)
    guard rest != 0 else { return quotient }
    let away: Int128 = rest > 0 ? 1 : -1
    let isAway =
      switch self {
      case .roundHalfAwayFromZero: 2 * rest.magnitude >= divisor.magnitude
      case .roundTowardZero: false
      case .roundAwayFromZero: true
      case .quickTime: isFiner
      case .roundTowardPositiveInfinity: rest > 0
      case .roundTowardNegativeInfinity: rest < 0
      }
    return isAway ? quotient + away : quotient
  }
}

extension CMTime {
  /// The same time in another timescale, rounded; infinite where the value has no room.
  ///
  /// - Parameters:
  ///   - newTimescale: The units in a second, 1 or more.
  ///   - method: How it is rounded.
  /// - Returns: The time; one that is no number stays as it is.
  public func convertScale(
    _ newTimescale: CMTimeScale,
    method: CMTimeRoundingMethod = .default,
  ) -> CMTime {
    guard isNumeric, timescale != newTimescale else { return self }
    guard newTimescale > 0, timescale > 0 else { return .invalid }
    let exact = Int128(value) * Int128(newTimescale)
    let rounded = method.divide(exact, by: Int128(timescale), isFiner: newTimescale > timescale)
    var time = Self.numeric(rounded, timescale: newTimescale, epoch: epoch)
    if time.isNumeric {
      let isRounded = exact % Int128(timescale) != 0
      time.flags.formUnion(isRounded ? [.hasBeenRounded] : flags)
    }
    return time
  }

  /// A number of units, or infinite where there is no room for it.
  private static func numeric(
    _ value: Int128,
    timescale: CMTimeScale,
    epoch: CMTimeEpoch,
  ) -> CMTime {
    guard let value = CMTimeValue(exactly: value) else {
      return value > 0 ? .positiveInfinity : .negativeInfinity
    }
    return CMTime(value: value, timescale: timescale, flags: .valid, epoch: epoch)
  }

  /// The sum of two times, exact unless their common timescale has no room.
  public static func + (left: CMTime, right: CMTime) -> CMTime {
    left.combined(with: right, sign: 1)
  }

  /// The difference of two times, exact unless their common timescale has no room.
  public static func - (left: CMTime, right: CMTime) -> CMTime {
    left.combined(with: right, sign: -1)
  }

  private func combined(with other: CMTime, sign: Int128) -> CMTime {
    guard isValid, other.isValid else { return .invalid }
    guard isNumeric, other.isNumeric else { return nonNumeric(with: other, sign: sign) }
    guard timescale > 0, other.timescale > 0 else { return .invalid }
    let common = Self.commonScale(timescale, other.timescale)
    let (left, right) = (convertScale(common), other.convertScale(common))
    guard left.isNumeric, right.isNumeric else { return left.nonNumeric(with: right, sign: sign) }
    let sum = Int128(left.value) + sign * Int128(right.value)
    var time = Self.numeric(sum, timescale: common, epoch: epoch)
    if time.isNumeric, left.hasBeenRounded || right.hasBeenRounded {
      time.flags.insert(.hasBeenRounded)
    }
    return time
  }

  /// The result where one of two times is no number; opposite infinities give an invalid time.
  private func nonNumeric(with other: CMTime, sign: Int128) -> CMTime {
    if isIndefinite || other.isIndefinite { return .indefinite }
    let second: CMTime =
      other.isNumeric || sign > 0
      ? other : other.isPositiveInfinity ? .negativeInfinity : .positiveInfinity
    if isNumeric { return second }
    if second.isNumeric || second.isPositiveInfinity == isPositiveInfinity { return self }
    return .invalid
  }

  /// The least common multiple of two timescales; the larger one where that has no room.
  private static func commonScale(_ left: CMTimeScale, _ right: CMTimeScale) -> CMTimeScale {
    let divisor = commonDivisor(Int64(left), Int64(right))
    return CMTimeScale(exactly: Int64(left) / divisor * Int64(right)) ?? max(left, right)
  }

  /// The greatest common divisor of a number above 0 and another one.
  fileprivate static func commonDivisor(_ left: Int64, _ right: Int64) -> Int64 {
    var (divisor, rest) = (left, right % left)
    while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
    return abs(divisor)
  }
}

extension CMTime: Comparable, Hashable {
  /// The order of times that are no numbers: as the SDK has it, invalid times are last.
  private var rank: Int {
    if isNegativeInfinity { return -1 }
    if isNumeric { return 0 }
    if isPositiveInfinity { return 1 }
    return isIndefinite ? 2 : 3
  }

  private var scaled: (value: Int128, scale: Int128) { (Int128(value), Int128(max(timescale, 1))) }

  /// Whether both are the same time, in whatever timescale.
  public static func == (left: CMTime, right: CMTime) -> Bool {
    guard left.rank == right.rank else { return false }
    guard left.isNumeric else { return true }
    let (a, b) = (left.scaled, right.scaled)
    return left.epoch == right.epoch && a.value * b.scale == b.value * a.scale
  }

  /// Whether the first time is before the second.
  public static func < (left: CMTime, right: CMTime) -> Bool {
    guard left.isNumeric, right.isNumeric else { return left.rank < right.rank }
    guard left.epoch == right.epoch else { return left.epoch < right.epoch }
    let (a, b) = (left.scaled, right.scaled)
    return a.value * b.scale < b.value * a.scale
  }

  /// Equal for equal times.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(rank)
    guard isNumeric else { return }
    let divisor = Self.commonDivisor(Int64(max(timescale, 1)), value)
    hasher.combine(value / divisor)
    hasher.combine(Int64(max(timescale, 1)) / divisor)
  }
}
