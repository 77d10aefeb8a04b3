// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import LatencyLab
import Logging

/// `multiroute bench mix`: the cost of mixing, compared with jack_mix_box and with the machine's
/// peak.
struct BenchMixCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mix",
    abstract: "Measure the cost of mixing, against jack_mix_box and the machine's peak.",
    discussion: "Only a release build gives useful figures. Needs jackd and jack_mix_box.",
  )

  @OptionGroup var report: BenchReportOptions
  @OptionGroup var host: HostProgramOption

  @OptionGroup var repetition: RepetitionOptions

  @Flag(help: "Also count the instructions of a cycle of the engine, with valgrind.")
  var instructions = false

  func run() async throws {
    Log.begin(at: .warning)
    let programs = try host.programs()
    var benchmark = MixCostBenchmark(programs: programs)
    repetition.apply(to: &benchmark.repetition)
    let chosen = benchmark
    try await report.measuring(with: programs) { progress in
      var engine = try EngineBenchmark().run()
      if instructions {
        let counts = try await InstructionCount(programs: programs).run(progress: progress)
        engine.metrics.merge(counts) { $1 }
      }
      return [try await chosen.run(progress: progress), engine]
    }
  }
}

/// `multiroute bench node`: the cost of each client of a chain, compared with bare JACK clients.
struct BenchNodeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "node",
    abstract: "Measure how much a node of a chain adds to a cycle, against a bare JACK client.",
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

  @OptionGroup var repetition: RepetitionOptions

  @Option(help: "The server's period in frames.")
  var frames = 64

  func validate() throws {
    try BenchRange.check(clients, in: 2...60, "--clients")
    try BenchRange.check(frames, in: SweepBenchmark.bufferFrameLimits, "--frames")
  }

  func run() async throws {
    Log.begin(at: .warning)
    let others = command.map { text in
      NodeCostBenchmark.Kind(
        name: text,
        command: text.split(separator: " ").map(String.init),
      )
    }
    var benchmark = NodeCostBenchmark(programs: LabPrograms(), others: others)
    benchmark.clients = clients
    repetition.apply(to: &benchmark.repetition)
    benchmark.bufferFrames = frames
    let chosen = benchmark
    try await report.measuring { progress in try await chosen.run(progress: progress) }
  }
}

/// `multiroute bench settings`: the measurements of `multiroute doctor --measure`.
struct BenchSettingsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings",
    abstract:
      "Measure the cost of the machine's settings, as 'multiroute doctor --measure' shows it.",
    shouldDisplay: false,
  )

  @Flag(help: "Print one JSON array.")
  var json = false

  func run() async throws {
    Log.begin(at: .error)
    let line = ProgressLine()
    defer { line.end() }
    let costs: [SettingCost]
    do throws(LabError) {
      costs = try await SettingCosts().measure { line.show($0) }
    } catch {
      Terminal.complain("error: \(error)")
      throw ExitCode.unavailable
    }
    line.end()
    if json { return try Terminal.say(json: costs) }
    for cost in costs { Terminal.say(cost.line) }
  }
}
