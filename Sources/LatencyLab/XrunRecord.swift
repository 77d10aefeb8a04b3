// SPDX-License-Identifier: MIT

/// An xrun: when, how late, and what the machine did then.
public struct XrunRecord: Equatable, Sendable, Codable {
  /// When, in seconds since the measurement began.
  public var seconds: Double
  /// How late the server said it was, in microseconds.
  public var delayMicroseconds: Double
  /// Largest delay of the baseline thread within 50 ms of it, in microseconds; nil without one.
  public var baselineMicroseconds: Double?
  /// Share of all processors that was busy then, 0…1; nil where unknown.
  public var processorBusyShare: Double?
  /// Threads that wanted to run then; nil where unknown.
  public var runnableThreads: Int?
  /// Share of the time that another machine on the same hardware took (steal), 0…1; nil where
  /// unknown.
  public var stolenShare: Double?

  /// Describes an xrun.
  public init(
    seconds: Double,
    delayMicroseconds: Double,
    baselineMicroseconds: Double? = nil,
    processorBusyShare: Double? = nil,
    runnableThreads: Int? = nil,
    stolenShare: Double? = nil,
  ) {
    self.seconds = seconds
    self.delayMicroseconds = delayMicroseconds
    self.baselineMicroseconds = baselineMicroseconds
    self.processorBusyShare = processorBusyShare
    self.runnableThreads = runnableThreads
    self.stolenShare = stolenShare
  }
}
