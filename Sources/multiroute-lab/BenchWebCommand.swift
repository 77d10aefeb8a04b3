// SPDX-License-Identifier: MIT

import ArgumentParser
import LatencyLab

/// `multiroute bench web`: the page in Chromium.
struct BenchWebCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "web",
    abstract:
      "Measure a host's page in Chromium: its faders, its meters, and the host behind many pages.",
    discussion: """
      Starts a dummy server and a host of its own, opens the host's page in Chromium, and moves a fader with the \
      mouse while it listens at a route's output. Then it changes gains over the control socket and waits for the \
      picture that shows them, counts frames of meters, and compares the wait for answers on the control socket \
      with and without further pages. Run it in the repository.
      """,
  )

  @OptionGroup var options: HostBenchOptions

  @Option(help: "The number of movements.")
  var moves = WebBenchmark(program: "").moves

  @Option(help: "The number of changes by another client.")
  var changes = WebBenchmark(program: "").changes

  @Option(help: "The number of strips.")
  var strips = WebBenchmark(program: "").strips

  @Option(help: "The number of pages at once; 0 omits this part.")
  var clients = WebBenchmark(program: "").clients

  @Option(help: "The seconds for which the meters are watched.")
  var seconds = WebBenchmark(program: "").seconds

  @Option(help: "The number of blocks of 100 requests, with and without the pages.")
  var blocks = WebBenchmark(program: "").blocks

  @Option(help: "The server's period in frames.")
  var frames = WebBenchmark(program: "").bufferFrames

  @Option(help: "The script that drives Chromium.", completion: .file())
  var driver = WebBenchmark(program: "").script

  func validate() throws {
    try BenchRange.check(frames, in: SweepBenchmark.bufferFrameLimits, "--frames")
  }

  func run() async throws {
    try await options.measure { programs, progress in
      var benchmark = WebBenchmark(program: programs.host)
      benchmark.script = driver
      benchmark.moves = moves
      benchmark.changes = changes
      benchmark.strips = strips
      benchmark.clients = clients
      benchmark.seconds = seconds
      benchmark.blocks = blocks
      benchmark.bufferFrames = frames
      return [try await benchmark.run(progress: progress)]
    }
  }
}
