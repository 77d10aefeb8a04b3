// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import DeviceBridge
import GraphFiles
import JACK
import Logging
import UnixSignals

/// `multiroute bridge`: makes a device with its own clock a set of JACK ports, in the foreground.
struct BridgeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bridge",
    abstract: "Make an ALSA device with its own clock a set of JACK ports.",
    discussion: """
      Waits while the device or the JACK server is missing, and continues when it is back. Ends with \
      Ctrl-C or SIGTERM. Example: multiroute bridge --device hw:1 --playback
      """,
  )

  @Option(help: "The ALSA device, such as hw:1; `aplay -L` lists them.")
  var device: String

  /// The direction of the audio.
  enum Direction: String, EnumerableFlag {
    case playback
    case capture
  }

  @Flag(help: "The direction of the audio: from JACK to the device, or from the device to JACK.")
  var direction: Direction

  @Option(help: "Channels of the device, and ports: 1 to 64.")
  var channels = 2

  @Option(
    help:
      "The device's sample rate, such as 48kHz; 0 takes JACK's, or the nearest one of the device.",
    transform: QuantityArgument.wholeHertz,
  )
  var rate = 0

  @Option(help: "The device's period in frames, 16 to 8192; 0 takes JACK's.")
  var frames = 0

  @Option(help: "Periods in the device's buffer, 2 to 8.")
  var periods = 3

  @Option(help: "The name of the JACK client.")
  var name = "bridge"

  @Option(name: [.customShort("n"), .customLong("server")], help: "The name of the JACK server.")
  var server: String?

  @Option(
    help: "Time added to the delay for late wake-ups, 0ms to 500ms; 0ms, or 1ms for capture.",
    transform: QuantityArgument.milliseconds,
  )
  var slack: Double?

  @Option(help: "Half the length of the resampler's filter in frames, 16 to 96.")
  var quality = 48

  @Option(
    help: ArgumentHelp(
      "The process whose JACK clients alone hear the captured audio.",
      visibility: .private,
    )
  )
  var listener: Int32?

  @Flag(help: "Print one JSON object a line: status and events.")
  var json = false

  @Option(
    help: "Time between two status lines, 50ms to 60s (default: 500ms).",
    transform: { Int(try QuantityArgument.milliseconds($0).rounded()) },
  )
  var interval = 500

  @Option(
    help: "The log level on standard error: trace, debug, info, notice, warning, error.",
    transform: LogLevelArgument.parse,
  )
  var log = Logger.Level.warning

  func validate() throws {
    try Self.check(channels, in: 1...64, "--channels")
    if rate != 0 { try Self.check(rate, in: 4000...768_000, "--rate") }
    if frames != 0 { try Self.check(frames, in: 16...8192, "--frames") }
    try Self.check(periods, in: 2...8, "--periods")
    try Self.check(quality, in: 16...96, "--quality")
    guard (50...60_000).contains(interval) else {
      throw ValidationError("--interval \(interval)ms is out of range; allowed: 50ms to 60s")
    }
    if let slack, !(0...500).contains(slack) {
      throw ValidationError("--slack \(slack.graphText)ms is out of range; allowed: 0ms to 500ms")
    }
    if let fault = JACKLibrary.fault(inClientName: name) {
      throw ValidationError("--name \(name): \(fault)")
    }
    guard !device.isEmpty else {
      throw ValidationError("--device is empty; allowed: an ALSA device, such as hw:1")
    }
  }

  func run() async throws {
    Log.begin(at: log)
    var configuration = BridgeConfiguration(
      deviceName: device,
      direction: direction == .playback ? .playback : .capture,
    )
    configuration.channels = channels
    configuration.deviceRateHz = rate
    configuration.devicePeriodFrames = frames
    configuration.devicePeriods = periods
    configuration.clientName = name
    configuration.server = server
    configuration.listeningProcess = listener
    configuration.halfLengthFrames = quality
    configuration.statusInterval = .milliseconds(interval)
    if let slack { configuration.slackSeconds = slack / 1000 }
    let bridge = Bridge(configuration)
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    let stopping = Task {
      for await _ in signals { await bridge.stop() }
    }
    defer { stopping.cancel() }
    let ending = Task { await bridge.run() }
    for await output in bridge.outputs { try show(output) }
    guard await ending.value else { throw ExitCode.software }
  }

  private func show(_ output: BridgeOutput) throws {
    switch output {
    case .status(let status):
      if json { try Terminal.say(json: status) }
    case .event(let event):
      if json {
        try Terminal.say(json: event)
      } else {
        Terminal.say("\(event.kind.rawValue): \(event.message)")
      }
    }
  }

  private static func check(_ value: Int, in range: ClosedRange<Int>, _ option: String) throws {
    guard range.contains(value) else {
      throw ValidationError(
        "\(option) \(value) is out of range; allowed: \(range.lowerBound) to \(range.upperBound)"
      )
    }
  }
}
