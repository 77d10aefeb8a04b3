// SPDX-License-Identifier: MIT

/// How to start a JACK server.
public struct ServerConfiguration: Sendable, Hashable {
  /// What the server plays to and records from.
  public enum Driver: Sendable, Hashable {
    /// The first ALSA card where there is one, the dummy driver otherwise.
    case automatic
    /// An ALSA device, such as `hw:0`.
    case alsa(device: String)
    /// No hardware: a timer, and silence.
    case dummy
    /// Another driver by its name; its arguments go into `extraDriverArguments`.
    case other(String)
  }

  /// The server's name.
  public var name: String
  /// The program, looked up in $PATH unless it has a slash.
  public var program: String
  /// What it plays to and records from.
  public var driver: Driver
  /// The sample rate.
  public var sampleRateHz: UInt32
  /// The length of a period in frames.
  public var periodFrames: UInt32
  /// The number of periods in the hardware's buffer; ALSA only.
  public var periods: UInt32
  /// Whether to ask for real-time scheduling.
  ///
  /// Where it is refused the server runs without it, and
  /// ``ServerProcess/realtimeFallbackReason`` says why.
  public var isRealtime: Bool
  /// The priority of the server's threads, 1…99; nil leaves it to jackd.
  public var realtimePriority: Int?
  /// Whether the server waits for all clients in each cycle (-S), instead of adding a period.
  public var isSynchronous: Bool
  /// The number of hardware inputs; nil leaves it to the driver.
  public var captureChannels: Int?
  /// The number of hardware outputs; nil leaves it to the driver.
  public var playbackChannels: Int?
  /// Further arguments for the server itself, such as `-a e`.
  public var extraServerArguments: [String]
  /// Further arguments for the driver.
  public var extraDriverArguments: [String]

  /// Makes a configuration.
  public init(
    name: String = "default",
    program: String = "jackd",
    driver: Driver = .automatic,
    sampleRateHz: UInt32 = 48_000,
    periodFrames: UInt32 = 256,
    periods: UInt32 = 2,
    isRealtime: Bool = true,
    realtimePriority: Int? = nil,
    isSynchronous: Bool = false,
    captureChannels: Int? = nil,
    playbackChannels: Int? = nil,
    extraServerArguments: [String] = [],
    extraDriverArguments: [String] = [],
  ) {
    self.name = name
    self.program = program
    self.driver = driver
    self.sampleRateHz = sampleRateHz
    self.periodFrames = periodFrames
    self.periods = periods
    self.isRealtime = isRealtime
    self.realtimePriority = realtimePriority
    self.isSynchronous = isSynchronous
    self.captureChannels = captureChannels
    self.playbackChannels = playbackChannels
    self.extraServerArguments = extraServerArguments
    self.extraDriverArguments = extraDriverArguments
  }
}
