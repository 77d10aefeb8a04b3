// SPDX-License-Identifier: MIT

/// What the process callback of a client has cost so far.
public struct ProcessStatistics: Equatable, Sendable {
  /// Callbacks since activation.
  public let cycles: UInt64
  /// Duration of the last callback.
  public let lastNanoseconds: UInt64
  /// Duration of the longest callback.
  public let maxNanoseconds: UInt64
  /// Duration of all callbacks together.
  public let totalNanoseconds: UInt64
  /// From the start of the last cycle to the start of its callback.
  public let lastStartDelayNanoseconds: UInt64
  /// The longest of these delays.
  public let maxStartDelayNanoseconds: UInt64

  /// The mean duration; 0 before the first callback.
  public var meanNanoseconds: UInt64 {
    cycles == 0 ? 0 : totalNanoseconds / cycles
  }
}
