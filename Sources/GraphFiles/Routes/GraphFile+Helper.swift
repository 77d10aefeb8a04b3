// SPDX-License-Identifier: MIT

extension GraphFile.Route {
  /// A helper program: the host runs it, and it makes the ports of a route.
  public enum Helper: Sendable, Equatable {
    /// An ALSA device with its own clock.
    case device(Device)
    /// Another machine, through zita-njbridge.
    case njbridge(NJBridge)
    /// Another machine, through JackTrip.
    case jacktrip(JackTrip)
  }

  /// An ALSA device, the key `device`.
  public struct Device: Sendable, Equatable {
    /// ALSA's name, such as `hw:1`.
    public var name: String
    /// Channels, 1…64.
    public var channels = 2
    /// The device's rate; nil for JACK's where it has that.
    public var sampleRateHz: Int?
    /// The device's period, 16…8192; nil for JACK's.
    public var periodFrames: Int?
    /// Periods in the device's buffer, 2…8.
    public var periods: Int?
    /// Time added to the delay for late wake-ups, 0…500 ms.
    public var slackDuration = Duration.zero
  }

  /// An end of zita-njbridge, the key `njbridge`.
  public struct NJBridge: Sendable, Equatable {
    /// The other machine for an output; the own address, or a multicast group, for an input.
    public var address: String
    /// The UDP port.
    public var port: Int
    /// Channels, 1…64.
    public var channels = 2
    /// The format of a sample on the network; the sender's counts.
    public var samples = GraphFile.Recorder.Samples.pcm24
    /// The time to wait for late packets, 0…500 ms; inputs only.
    public var bufferDuration = Duration.milliseconds(10)

    /// Makes one with all defaults.
    ///
    /// [any-thread]
    public init(address: String, port: Int) {
      self.address = address
      self.port = port
    }
  }

  /// An end of JackTrip, the key `jacktrip`.
  public struct JackTrip: Sendable, Equatable {
    /// The other machine; nil waits for it to call.
    public var address: String?
    /// The UDP port of this end.
    public var port = 4464
    /// The UDP port of the other end.
    public var peerPort = 4464
    /// Channels in each direction, 1…64.
    public var channels = 2
    /// Packets in the queue that absorbs late ones, 2…64.
    public var queuePackets = 4
    /// The number of times that each packet is sent, 1…8.
    public var redundancy = 1
    /// Bits of a sample in a packet: 8, 16, 24 or 32.
    public var bits = 16
  }
}

extension GraphFile.Route.Helper {
  /// The number of channels.
  var channels: Int {
    switch self {
    case .device(let device): device.channels
    case .njbridge(let bridge): bridge.channels
    case .jacktrip(let trip): trip.channels
    }
  }

  /// The helper's ports that the route uses in its direction.
  func ports(
    client: String,
    direction: GraphFile.Route.Direction,
  ) -> [PortSelector] {
    let isOutput = direction == .output
    let portName =
      switch self {
      case .device: isOutput ? "playback" : "capture"
      case .njbridge: isOutput ? "in" : "out"
      case .jacktrip: isOutput ? "send" : "receive"
      }
    return (1...max(1, channels)).map { .name("\(client):\(portName)_\($0)") }
  }
}

extension GraphFile {
  /// The most bytes of a helper's client name; JACK cuts longer ones.
  static let clientNameLimit = 60

  /// The name of the JACK client of a route's helper.
  public func helperClient(of route: Route) -> String { clientNames.part(route.name) }

  /// Gives routes with a helper program its ports.
  ///
  /// Call it when the graph's name changes, or a session manager gives one.
  mutating func nameHelpers() {
    for index in routes.indices {
      guard let helper = routes[index].helper else { continue }
      routes[index].ports = helper.ports(
        client: helperClient(of: routes[index]),
        direction: routes[index].direction,
      )
    }
  }
}
