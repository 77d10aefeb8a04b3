// SPDX-License-Identifier: MIT

public import Sessions

extension GraphFile {
  /// A named group of hardware-side JACK ports, one entry of `routes`.
  public struct Route: Sendable, Equatable {
    /// The name for other sections and programs.
    public var name: String
    /// Its name in an older version of the graph, if that was another one.
    public var was: String?
    /// The kind of device; a first guess where the file does not say.
    public var type: PortType
    /// Whether the file leaves the type to the device.
    public var isTypeGuessed = false
    /// Whether a route of type `airPlay` belongs to a mirrored screen.
    public var isMirrored = false
    /// The direction of the audio.
    public var direction: Direction
    /// The hardware-side ports, one entry per channel; a pattern stands for every port it matches.
    public var ports: [PortSelector]
    /// The helper program that makes the ports; nil where other programs do.
    public var helper: Helper?
    /// The alignment with routes of another latency; nil takes the graph's.
    public var alignment: Alignment?
    /// The output route on which it is heard while its ports are missing.
    public var fallback: String?
    /// The gain of the whole route in dB, −∞…24.
    public var gainDB = 0.0
    /// Whether the route starts muted.
    public var isMuted = false
    /// The limiter after the gain, if asked for; output routes only.
    public var limiter: Limiter?
    /// A name for people.
    public var label: String?
    /// The colour on displays.
    public var color: GraphColor?
    /// The inserts between the route and its ports, in the order of the signal.
    public var inserts: [NodeUse] = []
    /// The share of the inserts in the sound, 0…1; the rest is the sound without inserts.
    public var wet = 1.0

    /// The number of channels.
    public var channels: Int { ports.count }
  }
}

extension GraphFile.Route {
  /// The direction of the audio; the raw value is the name in the file.
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
    /// The time in which the gain comes back, 1 ms…5 s.
    public var releaseDuration = Duration.milliseconds(50)
    /// The time that it looks ahead, 0…20 ms; the route's latency grows by it.
    public var lookaheadDuration = Duration.zero
  }
}

extension PortType {
  /// The directions such a device can have, the usual one first.
  var directions: [GraphFile.Route.Direction] {
    (canBeOutput ? [.output] : []) + (canBeInput ? [.input] : [])
  }
}

extension GraphFile.Route {
  /// The alignment of a route with others of another latency.
  public enum Alignment: Sendable, Equatable {
    /// The route is not aligned.
    case free
    /// Delayed to the slowest aligned route.
    case automatic
    /// A fixed delay, 0…500 ms.
    case delay(Duration)
  }
}
