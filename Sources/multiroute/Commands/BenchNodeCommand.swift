// SPDX-License-Identifier: MIT

import ArgumentParser
import LatencyLab
import Logging

/// `multiroute bench node`: what each client of a chain costs, beside bare JACK clients.
struct BenchNodeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "node",
    abstract: "What each node of a chain adds to a cycle, beside a bare JACK client.",
    discussion: """
      Example: multiroute bench node --command 'my-node --client {name} --server {server}'

      Each client of the chain is a process; {name} and {server} are put in.
      """,
  )

  @OptionGroup var report: BenchReportOptions

  @Option(help: "A program that is one client of a chain; can be repeated.")
  var command: [String] = []

  @Option(help: "Clients in a chain.")
  var clients = 8

  @Option(help: "How often each kind is measured.")
  var rounds = 5

  @Option(help: "The server's period in frames.")
  var frames = 64

  func run() async throws {
    Log.begin(at: .warning)
    let others = command.map { text in
      NodeCostBenchmark.Kind(
        name: text,
        command: text.split(separator: " ").map(String.init),
      )
    }
    var benchmark = NodeCostBenchmark(program: try Program.path(), others: others)
    benchmark.clients = clients
    benchmark.rounds = rounds
    benchmark.bufferFrames = frames
    let chosen = benchmark
    try await report.measuring { progress in try await chosen.run(progress: progress) }
  }
}
