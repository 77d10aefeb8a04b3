// SPDX-License-Identifier: MIT

public import Realtime

/// The levels of all strips and routes at one time.
///
/// Strips are metered as they come in, before fader and gate. A strip that nothing listens to (no
/// send that is open) is not read at all, and shows silence. Routes are metered as they go out,
/// behind gain and limiter.
public struct MixMeters: Sendable, Equatable {
  /// The channels of one strip or route.
  public struct Entry: Sendable, Equatable, Identifiable {
    /// The strip's or route's id.
    public var id: String
    /// A reading for each channel.
    public var channels: [MeterReading]
  }

  /// In the order of the spec.
  public var strips: [Entry]

  /// In the order of the spec.
  public var routes: [Entry]
}
