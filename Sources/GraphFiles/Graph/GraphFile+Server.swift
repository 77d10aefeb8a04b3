// SPDX-License-Identifier: MIT

extension GraphFile {
  /// The JACK server.
  ///
  /// All but `name` and `start` matter only when the host starts it.
  public struct Server: Sendable, Equatable {
    /// The server name; nil means JACK's default (`$JACK_DEFAULT_SERVER`, else `default`).
    public var name: String?
    /// Whether the host may start it.
    public var start = Start.ifNeeded
    /// The driver.
    public var driver = Driver.automatic
    /// The device of the driver, for example `hw:0`.
    public var device: String?
    /// Capture channels of the driver, 0…768.
    public var captureChannels: Int?
    /// Playback channels of the driver, 0…768.
    public var playbackChannels: Int?
    /// Periods of the device's buffer, 2…16.
    public var periods: Int?
    /// Whether the server runs without its extra period of playback latency (`-S`).
    public var isSynchronous = true
    /// Whether the server asks for real-time scheduling.
    public var isRealtime = true
    /// Its real-time priority, 1…99.
    public var realtimePriority: Int?
    /// The program that opens the captures of an ALSA device, where the graph has `permissions`.
    public var captures = Captures.bridged
    /// Whether it is started without captures, because a bridge of the host opens the device's.
    public internal(set) var isPlaybackOnly = false
    /// More arguments for the server, put after those of the driver.
    public var arguments: [String] = []
  }
}

extension GraphFile.Server {
  /// When the host starts a server; the raw value is the name in the file.
  public enum Start: String, Sendable, CaseIterable {
    /// Attach to a running server, or start one.
    case ifNeeded
    /// Only attach.
    case never
    /// Always run a server of the host's own; a running one of the same name is an error.
    case always
  }

  /// The program that opens the captures of a server of the host's own; the raw value is the name in the file.
  public enum Captures: String, Sendable, CaseIterable {
    /// A bridge of the host, which nobody hears but the host's clients (PRM-4).
    case bridged
    /// The server: without the delay of a bridge, but every client may connect itself to them.
    case direct
  }

  /// A driver of jackd; the raw value is the name in the file.
  public enum Driver: String, Sendable, CaseIterable {
    /// ALSA where there is a card, dummy otherwise.
    case automatic
    /// A sound card.
    case alsa
    /// A timer instead of hardware.
    case dummy
    /// A FireWire interface.
    case firewire
    /// The network, as a slave of another server.
    case net
    /// The network, with celt or opus.
    case netone
  }
}

/// The keys of `server`.
enum ServerKey: String, SectionKey {
  static let section = "server"
  case name, start, driver, device, channels, periods, synchronous, realtime, priority, captures
  case arguments
}

/// The keys of `server.channels`.
enum ServerChannelsKey: String, SectionKey {
  static let section = "channels"
  case capture, playback
}

extension GraphFile.Server {
  init(_ section: Section<ServerKey>) {
    name = section[.name]?.graphName()
    start = section[.start]?.choice() ?? start
    driver = section[.driver]?.choice() ?? driver
    device = section[.device]?.text(allowed: "a device of the driver, for example \"hw:0\"")
    if let device = section[.device], [.automatic, .dummy].contains(driver) {
      device.error("the driver '\(driver.rawValue)' takes no device; write also 'driver: alsa'")
    }
    if let channels: Section<ServerChannelsKey> = section[.channels]?.section() {
      captureChannels = channels[.capture]?.integer(in: 0...GraphFile.portLimit)
      playbackChannels = channels[.playback]?.integer(in: 0...GraphFile.portLimit)
    }
    periods = section[.periods]?.integer(in: 2...16)
    isSynchronous = section[.synchronous]?.flag() ?? isSynchronous
    isRealtime = section[.realtime]?.flag() ?? isRealtime
    realtimePriority = section[.priority]?.integer(in: 1...99)
    if let priority = section[.priority], !isRealtime {
      priority.error("does not work with 'realtime: false'; remove one of the two")
    }
    captures = section[.captures]?.choice() ?? captures
    arguments = (section[.arguments]?.list(allowed: "a list of arguments", limit: 64) ?? [])
      .compactMap { $0.text(allowed: "an argument of the server") }
  }
}
