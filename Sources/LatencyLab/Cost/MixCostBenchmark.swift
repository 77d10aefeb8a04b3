// SPDX-License-Identifier: MIT

import AudioFiles
import FoundationEssentials
import Glibc
import JACK

/// `bench mix`: the cost of mixing in a JACK client: the process callback of the host against that of `jack_mix_box`, both
/// in the same cycles of one server and fed with the same noise.
///
/// Server and clients are started anew for each round. Where their memory lies, and which client runs first on which
/// processor, stays as it is for as long as they run and changes the ratio by tens of percent; with one start for all
/// rounds two runs would disagree by more than their intervals.
///
/// Runs on the task of its command: [control-thread].
public struct MixCostBenchmark: Sendable {
  /// The `multiroute` program that is measured, and the library that times callbacks.
  public var programs: LabPrograms
  /// Stereo channels that are mixed into one stereo output.
  public var stereoChannels = 32
  /// The server's period in frames.
  public var bufferFrames = 64
  /// The server's sample rate in Hz.
  public var sampleRateHz = 48_000
  /// How long it is repeated: 12 rounds at least, 90 s at most, until the ratio's interval is within 10 % to either side.
  public var repetition = Repetition(leastRounds: 12, mostSeconds: 90)
  /// Seconds of a round that are read.
  public var roundSeconds = 2.0
  /// Seconds of a round before that.
  public var settleSeconds = 1.0

  /// How often jack_mix_box is started before the benchmark fails.
  private static let mostStarts = 3

  /// Makes a benchmark of 32 stereo channels at 64 frames and 48 kHz.
  ///
  /// - Parameter programs: The programs to start.
  public init(programs: LabPrograms) { self.programs = programs }

  /// Runs it, each round on a dummy server of its own.
  ///
  /// - Parameter progress: Called at each round.
  /// - Returns: The record; the bar of the project is `mix.callbackRatioToJackMixBox.ratio <= 0.2`.
  /// - Throws: ``LabError`` `tool` when a program is missing, `jack`, or `cancelled`.
  public func run(
    progress: BenchProgress.Handler = { _ in }
  ) async throws(LabError) -> BenchRecord {
    let clock = ContinuousClock()
    let start = clock.now
    var readings = Readings()
    while !repetition.isDone(
      rounds: readings.rounds.count,
      seconds: (clock.now - start) / .seconds(1),
      [readings.ratio],
    ) {
      let done = readings.rounds.count
      progress(
        BenchProgress(round: done, of: max(repetition.leastRounds, done + 1), label: "rounds")
      )
      try await readRound(into: &readings)
    }
    return record(readings)
  }

  /// Reads a round on a server of its own.
  private func readRound(into readings: inout Readings) async throws(LabError) {
    let name = "mix-cost-\(getpid())-\(readings.rounds.count)"
    let server = ServerProcess(
      ServerConfiguration(
        name: name,
        driver: .dummy,
        sampleRateHz: UInt32(sampleRateHz),
        periodFrames: UInt32(bufferFrames),
        isSynchronous: true,
        captureChannels: 2,
        playbackChannels: 2,
      )
    )
    do throws(JACKError) {
      try await server.start()
    } catch {
      throw LabError(error)
    }
    var outcome: Result<Round, LabError>
    do throws(LabError) {
      outcome = .success(try await measure(server: name, late: &readings.late))
    } catch {
      outcome = .failure(error)
    }
    await server.stop()
    readings.rounds.append(try outcome.get())
  }

  /// Starts both programs, and reads them at the same moments.
  private func measure(
    server: String,
    late: inout LateRounds,
  ) async throws(LabError) -> Round {
    let generator = try noiseGenerator()
    let noise = try unsafe LabClient<NoiseClient>(
      name: "noise",
      server: server,
      process: noiseProcess,
    ) { connection throws(JACKError) in
      unsafe NoiseClient(
        source: generator.source,
        output: try connection.register("out"),
        pointer: nil,
      )
    }
    // The callback reads the generator until the client is closed.
    defer { withExtendedLifetime(generator) { noise.close() } }
    let folder = FileManager.default.temporaryDirectory.appending(path: server)
    let graph = try writeGraph(into: folder)
    defer { try? FileManager.default.removeItem(at: folder) }
    let times = try CallbackTimes(
      path: folder.appending(path: "callback-times").path(percentEncoded: false),
      library: programs.callbackTimer,
    )
    let ours = try PeerProcess(
      programs.host,
      ["run", graph, "--json", "--server", server, "--no-start-server"],
      environment: times.environment.merging(
        ["XDG_RUNTIME_DIR": folder.path(percentEncoded: false)]
      ) { $1 },
    )
    defer { ours.stop() }
    try await feed("mix-cost", from: noise.connection)
    let peer = try await fedPeer(server: server, from: noise.connection, times: times)
    defer { peer.stop() }
    try await LabError.sleep(.seconds(settleSeconds))
    return try await round(
      of: [ours.pid, peer.pid],
      times: times,
      connection: noise.connection,
      late: &late,
    )
  }

  private func noiseGenerator() throws(LabError) -> ToneGenerator {
    do throws(AudioFileError) {
      return try ToneGenerator(
        settings: ToneGenerator.Settings(waveform: .pinkNoise, levelDB: -20),
        sampleRateHz: Double(sampleRateHz),
      )
    } catch {
      throw LabError(.badOption, error.description)
    }
  }

  /// Starts jack_mix_box, and connects the noise to it.
  ///
  /// About one of 20 starts stops inside jack_mix_box before it has ports; it is then started again.
  private func fedPeer(
    server: String,
    from noise: ClientConnection,
    times: CallbackTimes,
  ) async throws(LabError) -> PeerProcess {
    var starts = 0
    while true {
      let peer = try PeerProcess(
        "jack_mix_box",
        ["-n", "mixbox", "-s"] + (1...stereoChannels).map(String.init),
        environment: times.environment.merging(["JACK_DEFAULT_SERVER": server]) { $1 },
      )
      starts += 1
      do throws(LabError) {
        try await feed("mixbox", from: noise)
        return peer
      } catch {
        peer.stop()
        if starts == Self.mostStarts { throw error }
      }
    }
  }

  /// Waits for a client's ports, and connects the noise to all of its audio inputs.
  private func feed(_ client: String, from noise: ClientConnection) async throws(LabError) {
    for _ in 0..<200 {
      let ports = try LabError.wrapping { () throws(JACKError) in
        try noise.ports(matching: "^\(client):", kind: AudioKind.self, flags: .input)
      }
      if ports.count == 2 * stereoChannels {
        for port in ports {
          try await noise.connectOnceActive("\(noise.name):out", to: port.name)
        }
        return
      }
      try await LabError.sleep(.milliseconds(50))
    }
    throw LabError(
      .tool,
      "\(client): did not appear with \(2 * stereoChannels) inputs within 10 s "
        + "(jack_mix_box is in Debian's package jack-mixer)",
    )
  }

  private func writeGraph(into folder: URL) throws(LabError) -> String {
    var lines = ["multiroute: 1", "name: mix-cost", "routes:"]
    lines.append("  out: {type: lineOut, ports: [\"system:playback_1\", \"system:playback_2\"]}")
    lines.append("sources:")
    // The benchmark connects the inputs; these names are never there.
    lines += (1...stereoChannels).map {
      "  s\($0): {ports: [\"nobody:l\($0)\", \"nobody:r\($0)\"]}"
    }
    lines.append("mix:")
    lines += (1...stereoChannels).map { "  - {from: s\($0), to: out, gain: -3 dB}" }
    let path = folder.appending(path: "graph.yaml")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(lines.joined(separator: "\n").utf8).write(to: path)
    } catch {
      throw LabError(.badFile, "\(path.path(percentEncoded: false)): \(error)")
    }
    return path.path(percentEncoded: false)
  }
}
