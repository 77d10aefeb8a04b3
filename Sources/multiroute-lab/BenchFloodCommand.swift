// SPDX-License-Identifier: MIT

import ArgumentParser
import LatencyLab

/// `multiroute bench flood`: a host under more messages than hands can send.
struct BenchFloodCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "flood",
    abstract: "Count xruns and lost messages while OSC and MIDI messages flood a host.",
    discussion: """
      Starts a dummy server and a host of its own. Both are idle first and flooded then, for the same time: xruns \
      of the flood count against those of the idle server.
      """,
  )

  @OptionGroup var options: HostBenchOptions

  @Option(help: "Seconds of each part.")
  var seconds = FloodBenchmark(program: "").seconds

  @Option(help: "OSC messages a second.")
  var osc = FloodBenchmark(program: "").oscMessages

  @Option(help: "MIDI messages a second.")
  var midi = FloodBenchmark(program: "").midiMessages

  @Option(help: "The server's period in frames.")
  var frames = FloodBenchmark(program: "").bufferFrames

  func validate() throws {
    try BenchRange.check(seconds, in: 2...3_600, "--seconds")
    try BenchRange.check(osc, in: 1...100_000, "--osc")
    try BenchRange.check(midi, in: 1...20_000, "--midi")
    try BenchRange.check(frames, in: SweepBenchmark.bufferFrameLimits, "--frames")
  }

  func run() async throws {
    try await options.measure { programs, progress in
      var benchmark = FloodBenchmark(program: programs.host)
      benchmark.seconds = seconds
      benchmark.oscMessages = osc
      benchmark.midiMessages = midi
      benchmark.bufferFrames = frames
      return [try await benchmark.run(progress: progress)]
    }
  }
}
