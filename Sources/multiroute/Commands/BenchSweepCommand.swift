// SPDX-License-Identifier: MIT

import ArgumentParser
import JACK
import LatencyLab
import Logging

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

  @Flag(help: "The default server that runs, instead of own ones.")
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
    try await report.measuring(on: options.target) { progress in
      let result = try await SweepBenchmark.run(chosen, progress: progress)
      for size in result.lowestHoldingSizes { Terminal.complain(Self.sentence(size)) }
      return result.report.records
    }
  }

  private static func sentence(_ size: SweepBenchmark.LowestHoldingSize) -> String {
    let mode = size.isSynchronous.map { $0 ? "synchronous" : "asynchronous" } ?? "mode unknown"
    let frames = size.bufferFrames.map { "\($0) frames" } ?? "none of the sizes"
    return "lowest size that holds at \(Int(size.sampleRateHz)) Hz, \(mode): \(frames)"
  }
}
