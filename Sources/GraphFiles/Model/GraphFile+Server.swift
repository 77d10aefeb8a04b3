// SPDX-License-Identifier: MIT

extension GraphFile {
  /// Which JACK server to use; all but `name` and `start` matter only when the host starts it.
  public struct Server: Sendable, Equatable {
    /// The server name; nil means JACK's default (`$JACK_DEFAULT_SERVER`, else `default`).
    public var name: String?
    /// Whether the host may start it.
    public var start = Start.ifNeeded
    /// What drives it.
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
    /// More arguments for the server, put after those of the driver.
    public var arguments: [String] = []
  }
}

extension GraphFile.Server {
  /// When the host starts a server; the raw value is the name in the file.
  public enum Start: String, Sendable, CaseIterable {
    /// Attach to a running server, start one if there is none.
    case ifNeeded
    /// Only attach.
    case never
    /// Always run a server of the host's own; a running one of the same name is an error.
    case always
  }

  /// A driver of jackd; the raw value is the name in the file.
  public enum Driver: String, Sendable, CaseIterable {
    /// ALSA where there is a card, dummy otherwise.
    case automatic
    /// A sound card.
    case alsa
    /// No hardware, a timer.
    case dummy
    /// A FireWire interface.
    case firewire
    /// The network, as a slave of another server.
    case net
    /// The network, with celt or opus.
    case netone
  }
}
