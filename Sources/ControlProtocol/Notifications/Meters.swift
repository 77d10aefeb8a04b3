// SPDX-License-Identifier: MIT

/// Levels of all strips and routes: the parameters of the notification `meters`.
///
/// Levels are linear amplitudes (1 is full scale, 0 is silence), one per channel. They cover the time
/// since the previous notification of the connection's interval, so no peak is missed between two.
public struct Meters: Codable, Sendable, Hashable {
  /// When the levels were read.
  public var time: EventTime
  /// The strips, in the order of `status`.
  public var strips: [MeterReading]
  /// The routes, in the order of `status`.
  public var routes: [MeterReading]

  /// Makes the value from its parts.
  public init(
    time: EventTime,
    strips: [MeterReading],
    routes: [MeterReading],
  ) {
    self.time = time
    self.strips = strips
    self.routes = routes
  }
}

/// The levels of one strip or route.
public struct MeterReading: Codable, Sendable, Hashable {
  /// The strip's id or the route's name.
  public var id: String
  /// The highest absolute sample of each channel.
  public var peak: [Float]
  /// The root of the mean square of each channel.
  public var rms: [Float]

  /// Makes the value from its parts.
  public init(id: String, peak: [Float], rms: [Float]) {
    self.id = id
    self.peak = peak
    self.rms = rms
  }
}
