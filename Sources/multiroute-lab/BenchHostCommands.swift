// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import LatencyLab
import Logging

/// The options of a benchmark that starts a host of its own.
///
/// Belongs to the control thread.
struct HostBenchOptions: ParsableArguments {
  @OptionGroup var report: BenchReportOptions
  @OptionGroup var host: HostProgramOption

  /// Makes a measurement, and prints and keeps its report.
  ///
  /// - Parameter body: The measurement with these programs.
  /// - Throws: As ``BenchReportOptions/measuring(on:with:_:)``.
  func measure(
    _ body: (LabPrograms, @escaping BenchProgress.Handler) async throws -> [BenchRecord]
  ) async throws {
    Log.begin(at: .warning)
    let programs = try host.programs()
    try await report.measuring(with: programs) { try await body(programs, $0) }
  }
}

/// `multiroute bench session`: how soon the host does what its sessions decide.
struct BenchSessionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "session",
    abstract: "Measure how soon interruptions, ducks, activations and route changes are heard.",
    discussion: """
      Starts a dummy server and a host of its own, and listens at the hardware's ports. \
      jack_disconnect by another client is measured in turn with the interruptions.
      """,
  )

  @OptionGroup var options: HostBenchOptions

  @Option(help: "Interruptions, and as many activations.")
  var rounds = SessionBenchmark.Settings().interruptions

  @Option(help: "Ducks, and as many route changes.")
  var ducks = SessionBenchmark.Settings().ducks

  @Option(help: "The number of times that an interrupter and a ducker are killed.")
  var kills = SessionBenchmark.Settings().kills

  func run() async throws {
    try await options.measure { programs, progress in
      var benchmark = SessionBenchmark(program: programs.host)
      benchmark.settings.interruptions = rounds
      benchmark.settings.activations = rounds
      benchmark.settings.ducks = ducks
      benchmark.settings.kills = kills
      return [try await benchmark.run(progress: progress)]
    }
  }
}

/// `multiroute bench control`: how soon a control is heard.
struct BenchControlCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "control",
    abstract: "Measure the time from a control's message to the first changed sample.",
    discussion: """
      Starts a dummy server and a host of its own, and listens at a route's output. Each round changes the gain \
      of one strip over every face, down and up again.
      """,
  )

  @OptionGroup var options: HostBenchOptions

  @Option(help: "The number of rounds.")
  var rounds = ControlBenchmark(program: "").rounds

  @Option(help: "The server's period in frames.")
  var frames = ControlBenchmark(program: "").bufferFrames

  func validate() throws {
    try BenchRange.check(rounds, in: 1...10_000, "--rounds")
    try BenchRange.check(frames, in: SweepBenchmark.bufferFrameLimits, "--frames")
  }

  func run() async throws {
    try await options.measure { programs, progress in
      var benchmark = ControlBenchmark(program: programs.host)
      benchmark.rounds = rounds
      benchmark.bufferFrames = frames
      return [try await benchmark.run(progress: progress)]
    }
  }
}

/// `multiroute bench adoption`: how a client that connects itself comes to its strip.
struct BenchAdoptionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "adoption",
    abstract: "Measure how soon, and how smoothly, adopted clients move to their strips.",
    discussion: """
      Starts a dummy server and a host of its own. Stereo clients connect themselves to the \
      loudspeakers, one after the other; the recording tells which way each sample came. Then many start in \
      one moment: how soon each is on its strip alone, and what the host's control thread spends on that.
      """,
  )

  @OptionGroup var options: HostBenchOptions

  @Option(help: "The number of clients that start one after the other; 0 omits this part.")
  var rounds = AdoptionBenchmark(program: "").rounds

  @Option(help: "The server's period in frames for these clients.")
  var frames = AdoptionBenchmark(program: "").bufferFrames

  @Option(help: "The number of clients that start in one moment; 0 omits this part.")
  var crowd = AdoptionCrowdBenchmark(programs: LabPrograms()).clients

  @Option(help: "The number of crowds.")
  var crowdRounds = AdoptionCrowdBenchmark(programs: LabPrograms()).rounds

  @Option(help: "The server's period in frames for the crowd.")
  var crowdFrames = AdoptionCrowdBenchmark(programs: LabPrograms()).bufferFrames

  func validate() throws {
    guard rounds > 0 || crowd > 0 else {
      throw ValidationError("--rounds and --crowd are both 0; at least one of them is needed")
    }
    try BenchRange.check(frames, in: SweepBenchmark.bufferFrameLimits, "--frames")
    try BenchRange.check(crowdFrames, in: SweepBenchmark.bufferFrameLimits, "--crowd-frames")
  }

  func run() async throws {
    try await options.measure { programs, progress in
      var records: [BenchRecord] = []
      var single = AdoptionBenchmark(program: programs.host)
      single.rounds = rounds
      single.bufferFrames = frames
      if rounds > 0 { records.append(try await single.run(progress: progress)) }
      var many = AdoptionCrowdBenchmark(programs: programs)
      many.clients = crowd
      many.rounds = crowdRounds
      many.bufferFrames = crowdFrames
      if crowd > 0 { records.append(try await many.run(progress: progress)) }
      return records
    }
  }
}

/// `multiroute bench roles`: ducking and stopping music, compared with PulseAudio's role modules.
struct BenchRolesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "roles",
    abstract: "Compare ducks and pauses of this host with those of PulseAudio's role modules.",
    discussion: """
      Music plays, a prompt lowers it, a call stops it, each ends and is killed. scripts/benchmark-roles \
      installs what it needs.
      """,
  )

  @OptionGroup var options: HostBenchOptions

  @Option(help: "The number of rounds on each.")
  var rounds = 10

  @Option(help: "The name or path of pulseaudio.")
  var pulseaudio = "pulseaudio"

  func run() async throws {
    try await options.measure { programs, progress in
      var benchmark = RolesBenchmark(program: programs.host)
      benchmark.rounds = rounds
      benchmark.pulseaudio = pulseaudio
      return try await benchmark.run(progress: progress)
    }
  }
}

/// `multiroute bench guard`: the silence when the host dies.
struct BenchGuardCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "guard",
    abstract: "Measure the silence of an adopted client when the host is killed and comes back.",
    discussion: """
      Starts a dummy server and a host of its own, kills the host again and again, and listens at the \
      hardware's port.
      """,
  )

  @OptionGroup var options: HostBenchOptions

  @Option(help: "The number of times that the host is killed.")
  var rounds = GuardBenchmark(program: "").rounds

  func run() async throws {
    try await options.measure { programs, progress in
      var benchmark = GuardBenchmark(program: programs.host)
      benchmark.rounds = rounds
      return [try await benchmark.run(progress: progress)]
    }
  }
}

/// `multiroute bench nodes`: a steady stream while nodes come and go.
struct BenchNodesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nodes",
    abstract: "Measure the losses of a steady stream while nodes come and go.",
    discussion:
      "Starts a dummy server and nodes; each second one of them ends and another starts.",
  )

  @OptionGroup var options: HostBenchOptions

  @Option(help: "The number of nodes that run at a time.")
  var nodes = NodeCrowdBenchmark(program: "").nodes

  @Option(help: "Seconds to measure.")
  var seconds = NodeCrowdBenchmark(program: "").seconds

  @Flag(help: "Kill every other node instead of ending it.")
  var kills = false

  @Flag(help: "A server that does not wait for its clients.")
  var asynchronous = false

  func run() async throws {
    try await options.measure { programs, progress in
      var benchmark = NodeCrowdBenchmark(program: programs.host)
      benchmark.nodes = nodes
      benchmark.seconds = seconds
      benchmark.kills = kills
      benchmark.isSynchronous = !asynchronous
      return [try await benchmark.run(progress: progress)]
    }
  }
}

/// `multiroute bench faults`: the cost of a node's death or stop.
struct BenchFaultsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "faults",
    abstract: "Measure the losses of other streams when a node is killed or stopped.",
    discussion: """
      Starts a dummy server, a host with eight nodes and three streams of its own. After some of the stops \
      jackd is busy for seconds; --no-stops leaves them out.
      """,
  )

  @OptionGroup var options: HostBenchOptions

  @Option(help: "The number of times that each of the eight nodes is killed and stopped.")
  var rounds = NodeFaultBenchmark(program: "").rounds

  @Flag(inversion: .prefixedNo, help: "Whether nodes are stopped (SIGSTOP), too.")
  var stops = true

  func run() async throws {
    try await options.measure { programs, progress in
      var benchmark = NodeFaultBenchmark(program: programs.host)
      benchmark.rounds = rounds
      benchmark.stops = stops
      return try await benchmark.run(progress: progress)
    }
  }
}
