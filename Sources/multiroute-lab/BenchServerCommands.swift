// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import JACK
import LatencyLab
import Logging
import ServerControl

/// `multiroute bench roundtrip`: the delay between two ports.
struct BenchRoundTripCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "roundtrip",
    abstract: "Measure the delay between two JACK ports, to a thousandth of a frame.",
    discussion: """
      Plays a probe into one port and listens to another; says what JACK's latency ranges claim \
      beside it. Example: multiroute bench roundtrip loop:through_in_1 loop:line_out_1
      """,
  )

  @OptionGroup var report: BenchReportOptions

  @Option(name: [.customShort("n"), .customLong("server")], help: "The name of the JACK server.")
  var server: String?

  @Argument(help: "The input port that the probe is played into.")
  var into: String

  @Argument(help: "The output port that is listened to.")
  var from: String

  @Option(help: "The number of readings.")
  var repetitions = 5

  @Option(help: .hidden)
  var clientName: String?

  func validate() throws { try BenchRange.check(repetitions, in: 1...1000, "--repetitions") }

  func run() async throws {
    Log.begin(at: .warning)
    var options = RoundTripBenchmark.Options(destinationPort: into, sourcePort: from)
    options.serverName = server
    options.repetitions = repetitions
    if let clientName { options.clientName = clientName }
    let chosen = options
    var empty = EmptyBench()
    try await report.measuring(on: .runningServer(name: server)) { progress in
      let result = try await RoundTripBenchmark.run(chosen, progress: progress)
      empty.note(result.refusal, status: .badData)
      return [result.record]
    }
    try empty.end()
  }
}

/// `multiroute bench wakeup`: how late cycles begin, and how long callbacks take.
struct BenchWakeUpCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wakeup",
    abstract: "Measure how late cycles begin, compared with the machine's own timers.",
  )

  @OptionGroup var report: BenchReportOptions

  @Option(name: [.customShort("n"), .customLong("server")], help: "The name of the JACK server.")
  var server: String?

  @Option(help: "The length of the measurement, in seconds.")
  var seconds = 10.0

  @Option(help: "Ports whose clients are to run before the measuring one, so that it sees them.")
  var after: [String] = []

  func validate() throws { try BenchRange.check(seconds, in: 0.5...86_400, "--seconds") }

  func run() async throws {
    Log.begin(at: .warning)
    var options = WakeUpBenchmark.Options()
    options.serverName = server
    options.duration = .seconds(seconds)
    options.sourcePorts = after
    let chosen = options
    try await report.measuring(on: .runningServer(name: server)) { progress in
      [try await WakeUpBenchmark.run(chosen, progress: progress).record]
    }
  }
}

/// `multiroute bench sweep`: rates × buffer sizes × modes.
struct BenchSweepCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep",
    abstract: "Measure over sample rates, buffer sizes and modes; find the lowest size that holds.",
    discussion: """
      Starts dummy servers of its own; with --server or --running it goes over the sizes of one that runs. \
      With --resume FILE a sweep that was stopped goes on where it was.
      """,
  )

  @OptionGroup var report: BenchReportOptions

  @Option(
    name: [.customShort("n"), .customLong("server")],
    help: "A running server, instead of own ones."
  )
  var server: String?

  @Flag(help: "The running default server, instead of own ones.")
  var running = false

  @Option(parsing: .upToNextOption, help: "Sample rates in Hz.")
  var rates = [44100, 48000, 96000]

  @Option(parsing: .upToNextOption, help: "Buffer sizes in frames.")
  var frames = [32, 64, 128, 256, 512, 1024]

  @Option(help: "Seconds for each point.")
  var seconds = 8.0

  @Option(
    help: ArgumentHelp("Keep points in this file, and leave out those in it.", valueName: "file")
  )
  var resume: String?

  func validate() throws {
    try BenchRange.check(seconds, in: 0.5...86_400, "--seconds")
    for size in frames {
      try BenchRange.check(size, in: SweepBenchmark.bufferFrameLimits, "--frames")
    }
    for rate in rates {
      try BenchRange.check(rate, in: SweepBenchmark.sampleRateLimitsHz, "--rates")
    }
  }

  func run() async throws {
    Log.begin(at: .warning)
    var options = SweepBenchmark.Options()
    if running || server != nil { options.target = .runningServer(name: server) }
    if JACKLibrary.isPipeWire { options.bufferSizing = PipeWireSizing() }
    options.sampleRatesHz = rates
    options.bufferFrames = frames
    options.durationPerPoint = .seconds(seconds)
    options.resumeFile = resume
    let chosen = options
    var empty = EmptyBench()
    try await report.measuring(on: options.target) { progress in
      let result = try await SweepBenchmark.run(chosen, progress: progress)
      for size in result.lowestHoldingSizes { Terminal.complain(Self.sentence(size)) }
      empty.note(result.emptyReason, status: .unavailable)
      return result.report.records
    }
    try empty.end()
  }

  private static func sentence(_ size: SweepBenchmark.LowestHoldingSize) -> String {
    let mode = size.isSynchronous.map { $0 ? "synchronous" : "asynchronous" } ?? "mode unknown"
    let frames = size.bufferFrames.map { "\($0) frames" } ?? "none of the sizes"
    return "lowest size that holds at \(Int(size.sampleRateHz)) Hz, \(mode): \(frames)"
  }
}

/// Sets PipeWire's buffer size through its settings metadata.
///
/// A size that a single JACK client asks for counts only for the driver that PipeWire gives that client.
private struct PipeWireSizing: ForeignBufferSizing {
  private let settings = PipeWireSettings(logger: Logger(label: "pipewire"))

  func set(bufferFrames: Int) async throws {
    try await settings.force(sampleRateHz: nil, bufferFrames: bufferFrames)
  }

  func giveBack() async { await settings.giveBack() }
}
