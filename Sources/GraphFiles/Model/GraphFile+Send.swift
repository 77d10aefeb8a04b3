// SPDX-License-Identifier: MIT

extension GraphFile {
  /// A source that goes to a route, one entry of `mix`.
  public struct Send: Sendable, Equatable {
    /// The name of the source.
    public var source: String
    /// The name of the output route.
    public var route: String
    /// The gain of the send in dB, −∞…24.
    public var gainDB = 0.0
    /// Left −1…1 right, equal power; always 0 unless the route has two channels.
    public var pan = 0.0
    /// Whether the send starts muted.
    public var isMuted = false
    /// Whether the send takes the source before its fader.
    public var isPreFader = false
    /// Which source channel goes to which route channel; nil is the usual way: one channel goes to
    /// every channel of the route, several go to the route channels of the same numbers.
    public var channels: [ChannelSend]?
  }
}

extension GraphFile.Send {
  /// One cell of a send's channel matrix.
  public struct ChannelSend: Sendable, Equatable {
    /// The source channel, counted from 1.
    ///
    /// Surely one that the source has, unless the channels of the source are not known.
    public var sourceChannel: Int
    /// The route channel, counted from 1.
    public var routeChannel: Int
    /// A gain of this cell in dB, −∞…24, on top of the send's.
    public var gainDB = 0.0
  }
}
