// SPDX-License-Identifier: MIT

internal import Glibc
internal import SystemSupport

/// The settings for starting a JACK server.
///
/// Pure value: [any-thread].
public struct ServerConfiguration: Sendable, Hashable {
  /// Driver through which a server plays and records.
  public enum Driver: Sendable, Hashable {
    /// The first ALSA card where there is one, the dummy driver otherwise.
    case automatic
    /// An ALSA device, such as `hw:0`.
    case alsa(device: String)
    /// A timer and silence instead of hardware.
    case dummy
    /// Another driver by its name; its arguments go into `extraDriverArguments`.
    case other(String)
  }

  /// The server's name.
  public var name: String
  /// The program, looked up in $PATH unless it has a slash.
  public var program: String
  /// Driver through which it plays and records.
  public var driver: Driver
  /// The sample rate.
  public var sampleRateHz: UInt32
  /// The length of a period in frames.
  public var periodFrames: UInt32
  /// The number of periods in the hardware's buffer; ALSA only.
  public var periods: UInt32
  /// Whether to ask for real-time scheduling.
  ///
  /// If it is refused, the server runs without it, and ``ServerProcess/realtimeFallbackReason`` gives
  /// the reason.
  public var isRealtime: Bool
  /// The priority of the server's threads, 1…99; nil leaves it to jackd.
  public var realtimePriority: Int?
  /// Whether the server waits for all clients in each cycle (-S), instead of adding a period.
  public var isSynchronous: Bool
  /// The number of hardware inputs; nil leaves it to the driver.
  public var captureChannels: Int?
  /// The number of hardware outputs; nil leaves it to the driver.
  public var playbackChannels: Int?
  /// Whether the device is opened for playback only (`-P`), so that another program can open its captures; ALSA only.
  public var isPlaybackOnly = false
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

extension ServerConfiguration {
  /// The driver by its name, and the device where it has one.
  package var resolvedDriver: (name: String, device: String?) {
    switch driver {
    case .automatic:
      if let card = Machine.this.text("/proc/asound/cards").flatMap(Self.firstCard) {
        ("alsa", "hw:\(card)")
      } else {
        ("dummy", nil)
      }
    case .alsa(let device): ("alsa", device)
    case .dummy: ("dummy", nil)
    case .other(let name): (name, nil)
    }
  }

  /// The number of the first card in the text of /proc/asound/cards.
  static func firstCard(_ text: String) -> Int? {
    for line in text.split(separator: "\n") {
      if let number = line.split(separator: " ").first.flatMap({ Int($0) }) { return number }
    }
    return nil
  }

  /// The command line, without the program.
  var arguments: [String] {
    let (driverName, device) = resolvedDriver
    var arguments = ["-n", name, isRealtime ? "-R" : "-r"]
    if isRealtime, let realtimePriority { arguments += ["-P", "\(realtimePriority)"] }
    if isSynchronous { arguments.append("-S") }
    arguments += extraServerArguments
    arguments += ["-d", driverName]
    if let device { arguments += ["-d", device] }
    // With `net`, rate and period are those of the network's master, and -p is a port.
    if driverName != "net" { arguments += ["-r", "\(sampleRateHz)", "-p", "\(periodFrames)"] }
    if driverName == "alsa" { arguments += ["-n", "\(periods)"] }
    let channelFlags = driverName == "alsa" ? ("-i", "-o") : ("-C", "-P")
    if driverName == "alsa", isPlaybackOnly { arguments.append("-P") }
    if let captureChannels, !isPlaybackOnly { arguments += [channelFlags.0, "\(captureChannels)"] }
    if let playbackChannels { arguments += [channelFlags.1, "\(playbackChannels)"] }
    return arguments + extraDriverArguments
  }
  /// Takes the rate and the period of a server that runs.
  ///
  /// - Parameter commandLine: The server's command line, as ``arguments`` makes it.
  package mutating func take(commandLine: [String]) {
    // Before the driver's name, -r stands for a server without real-time scheduling.
    guard let driver = commandLine.firstIndex(of: "-d") else { return }
    func number(_ flag: String) -> UInt32? {
      commandLine[driver...].firstIndex(of: flag).flatMap { place in
        place + 1 < commandLine.count ? UInt32(commandLine[place + 1]) : nil
      }
    }
    if let rate = number("-r"), rate > 0 { sampleRateHz = rate }
    if let period = number("-p"), period > 0 { periodFrames = period }
  }
}
