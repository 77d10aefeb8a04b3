// SPDX-License-Identifier: MIT

@_exported public import CoreAudio
@_exported public import Foundation

/// The numerator of a ``CMTime``.
public typealias CMTimeValue = Int64
/// The denominator of a ``CMTime``: its units in a second.
public typealias CMTimeScale = Int32
/// A number that tells periods of time apart that cannot be compared.
public typealias CMTimeEpoch = Int64

/// Whether a ``CMTime`` is a number, and which kind of one.
///
/// Pure value: [any-thread].
public struct CMTimeFlags: OptionSet, Hashable, Sendable {
  /// The SDK's bits.
  public let rawValue: UInt32

  /// Makes a set from the SDK's bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The time may be used.
  public static let valid = CMTimeFlags(rawValue: 1)
  /// The time was rounded.
  public static let hasBeenRounded = CMTimeFlags(rawValue: 1 << 1)
  /// The time is after all others.
  public static let positiveInfinity = CMTimeFlags(rawValue: 1 << 2)
  /// The time is before all others.
  public static let negativeInfinity = CMTimeFlags(rawValue: 1 << 3)
  /// The time is not known, such as the duration of a live stream.
  public static let indefinite = CMTimeFlags(rawValue: 1 << 4)
  /// The bits of times that are no numbers.
  public static let impliedValueFlagsMask: CMTimeFlags = [
    .positiveInfinity, .negativeInfinity, .indefinite,
  ]
}

/// A time or a duration as a fraction: ``value`` / ``timescale`` seconds.
///
/// Pure value: [any-thread].
public struct CMTime: Sendable {
  /// The numerator.
  public var value: CMTimeValue
  /// The denominator, the units in a second.
  public var timescale: CMTimeScale
  /// Whether it is a number.
  public var flags: CMTimeFlags
  /// The period of time that it belongs to.
  public var epoch: CMTimeEpoch

  /// Makes a time that is not valid.
  public init() {
    self.init(value: 0, timescale: 0, flags: [], epoch: 0)
  }

  /// Makes a time of all its parts.
  public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) {
    self.value = value
    self.timescale = timescale
    self.flags = flags
    self.epoch = epoch
  }

  /// Makes a time of `value` / `timescale` seconds; not valid with a timescale of 0 or less.
  public init(value: CMTimeValue, timescale: CMTimeScale) {
    self.init(value: value, timescale: timescale, flags: timescale > 0 ? .valid : [], epoch: 0)
  }

  /// Makes a time of seconds, rounded to the timescale.
  ///
  /// - Parameters:
  ///   - seconds: Infinite ones give an infinite time, NaN one that is not valid.
  ///   - preferredTimescale: The units in a second, 1 or more; it is halved until the value has room.
  public init(seconds: Double, preferredTimescale: CMTimeScale) {
    guard preferredTimescale > 0, !seconds.isNaN else {
      self.init()
      return
    }
    var scale = preferredTimescale
    while abs(seconds) * Double(scale) >= 0x1p63, scale > 1, seconds.isFinite { scale /= 2 }
    let exact = seconds * Double(scale)
    guard abs(exact) < 0x1p63 else {
      self = seconds > 0 ? .positiveInfinity : .negativeInfinity
      return
    }
    let value = CMTimeValue(exact.rounded())
    self.init(value: value, timescale: scale)
    if Double(value) != exact { flags.insert(.hasBeenRounded) }
  }

  /// The time 0.
  public static let zero = CMTime(value: 0, timescale: 1)
  /// A time that may not be used.
  public static let invalid = CMTime()
  /// A time that is not known.
  public static let indefinite = CMTime(
    value: 0,
    timescale: 0,
    flags: [.valid, .indefinite],
    epoch: 0
  )
  /// The time after all others.
  public static let positiveInfinity = CMTime(
    value: 0,
    timescale: 0,
    flags: [.valid, .positiveInfinity],
    epoch: 0,
  )
  /// The time before all others.
  public static let negativeInfinity = CMTime(
    value: 0,
    timescale: 0,
    flags: [.valid, .negativeInfinity],
    epoch: 0,
  )

  /// Whether it may be used.
  public var isValid: Bool { flags.contains(.valid) }
  /// Whether it is after all others.
  public var isPositiveInfinity: Bool { isValid && flags.contains(.positiveInfinity) }
  /// Whether it is before all others.
  public var isNegativeInfinity: Bool { isValid && flags.contains(.negativeInfinity) }
  /// Whether it is not known.
  public var isIndefinite: Bool { isValid && flags.contains(.indefinite) }
  /// Whether it is a number.
  public var isNumeric: Bool { isValid && flags.isDisjoint(with: .impliedValueFlagsMask) }
  /// Whether it was rounded.
  public var hasBeenRounded: Bool { isNumeric && flags.contains(.hasBeenRounded) }

  /// The time in seconds; infinite for infinite times, NaN for other times that are no numbers.
  public var seconds: Double {
    if isNumeric, timescale > 0 { return Double(value) / Double(timescale) }
    if isPositiveInfinity { return .infinity }
    return isNegativeInfinity ? -.infinity : .nan
  }
}
