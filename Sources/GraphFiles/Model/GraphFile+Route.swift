// SPDX-License-Identifier: MIT

public import Sessions

extension GraphFile {
  /// A named group of hardware-side JACK ports, one entry of `routes`.
  public struct Route: Sendable, Equatable {
    /// The name other sections and programs use.
    public var name: String
    /// What kind of device it is; a guess to start from where the file does not say.
    public var type: PortType
    /// Whether the file leaves the type to what the device says of itself.
    public var isTypeGuessed = false
    /// Which way audio flows.
    public var direction: Direction
    /// The hardware-side ports, one entry per channel; a pattern stands for every port it matches.
    public var ports: [PortSelector]
    /// The program that makes the ports; nil where they come by themselves.
    public var helper: Helper?
    /// How it is brought together with routes of another latency; nil for the graph's way.
    public var alignment: Alignment?
    /// The output route that it is heard on while its ports are not there.
    public var fallback: String?
    /// The gain of the whole route in dB, −∞…24.
    public var gainDB = 0.0
    /// Whether the route starts muted.
    public var isMuted = false
    /// The limiter after the gain, if asked for; output routes only.
    public var limiter: Limiter?
    /// A name for people.
    public var label: String?
    /// The effects between the route and its ports, in the order of the signal.
    public var inserts: [NodeUse] = []
    /// How much of the effects is heard against the sound without them, 0…1.
    public var wet = 1.0

    /// How many channels the route has.
    public var channels: Int { ports.count }
  }
}

extension GraphFile.Route {
  /// Which way audio flows; the raw value is the name in the file.
  public enum Direction: String, Sendable, CaseIterable {
    /// From the hardware to the host.
    case input
    /// From the host to the hardware.
    case output
  }

  /// A brick-wall limiter.
  public struct Limiter: Sendable, Equatable {
    /// The level that no sample exceeds, in dBFS, −24…0.
    public var ceilingDB = -1.0
    /// How long the gain takes to come back, 1 ms…5 s.
    public var releaseDuration = Duration.milliseconds(50)
    /// How far it looks ahead, 0…20 ms; the route's latency grows by it.
    public var lookaheadDuration = Duration.zero
  }
}

extension PortType {
  /// The directions such a device can have, the usual one first.
  var directions: [GraphFile.Route.Direction] {
    (canBeOutput ? [.output] : []) + (canBeInput ? [.input] : [])
  }
}
