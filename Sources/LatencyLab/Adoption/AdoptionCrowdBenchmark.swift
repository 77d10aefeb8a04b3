// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import JACK

/// `bench adoption --crowd N`: many clients that start in one moment, all adopted.
///
/// Each client is a process that connects itself to the loudspeakers as soon as it is on the server; all
/// processes are started together. Another JACK client notes each connection, and the loudspeakers record the
/// sound. A plain value: [any-thread].
public struct AdoptionCrowdBenchmark: Sendable {
  /// The `multiroute` program that is measured, and the program with the clients.
  public var programs: LabPrograms
  /// Number of clients, 1…200.
  ///
  /// Debian's jackd stops running cycles with 100 client processes on two processors, whatever the period.
  public var clients = 40
  /// The number of crowds, 1…100.
  public var rounds = 1
  /// The server's period in frames; long enough for all clients to run in it.
  public var bufferFrames = 1024
  /// The server's sample rate in Hz.
  public var sampleRateHz = 48_000

  /// Makes a benchmark of 40 clients that come once.
  ///
  /// - Parameter programs: The programs to start.
  public init(programs: LabPrograms) { self.programs = programs }

  /// Runs it on a dummy server of its own.
  ///
  /// - Parameter progress: Called before each round.
  /// - Returns: The record.
  /// - Throws: ``LabError`` `badOption`, `jack`, `host`, `tool` or `cancelled`.
  ///
  /// [control-thread]
  public func run(
    progress: @escaping BenchProgress.Handler = { _ in }
  ) async throws(LabError) -> BenchRecord {
    guard (1...200).contains(clients), (1...100).contains(rounds) else {
      throw LabError(
        .badOption,
        "clients is \(clients), allowed is 1 to 200; rounds is \(rounds), allowed is 1 to 100",
      )
    }
    let startedAt = Date()
    let found = try await stage.run { speaker, host, server async throws(LabError) in
      var found: [Round] = []
      for round in 0..<rounds {
        progress(BenchProgress(round: round, of: rounds, label: "\(clients) clients at once"))
        found.append(try await crowd(speaker, host, server: server))
      }
      return found
    }
    return record(found, startedAt: startedAt)
  }

  /// A strip is lower than the direct path, so that the recording tells them apart.
  private var stage: AdoptionStage {
    AdoptionStage(
      name: "crowd",
      program: programs.host,
      sampleRateHz: sampleRateHz,
      bufferFrames: bufferFrames,
      speakers: Self.channels,
      longestSeconds: Self.longestSeconds,
      rule: "{client: \"/app-.*/\", session: {preset: musicMaking}, gain: \(Self.stripGainDB) dB}",
    )
  }

  /// The result of one crowd.
  struct Round: Sendable {
    /// From each client's first connection until its strip alone was connected, in nanoseconds.
    var movedNanoseconds: [Int64]
    /// From the start of the first process until the last client was moved, in nanoseconds.
    var wholeNanoseconds: UInt64
    /// Clients that were not moved in time.
    var unmovedClients: Int
    /// Port events that the server sent to each client meanwhile: ports and connections that came or went.
    var portEvents: Int
    /// Processor time of the host's control thread meanwhile; nil when no thread has its name.
    var controlNanoseconds: UInt64?
    /// Processor time of the whole host meanwhile.
    var hostNanoseconds: UInt64
    /// The recorded levels, channel by channel.
    var heard: [CrowdReading]
    /// Frames that the server lost meanwhile.
    var lostFrames: Int
  }

  private func crowd(
    _ speaker: Speaker,
    _ host: BenchHost,
    server: String,
  ) async throws(LabError) -> Round {
    let observer = try unsafe LabClient(
      name: "crowd-watch",
      server: server,
      process: emptyClientProcess,
    ) { _ in EmptyClientState() }
    defer { observer.close() }
    let watch = CrowdWatch(observer.connection, clients: clients, channels: Self.channels)
    defer { watch.stop() }
    try await LabError.sleep(Self.settling)
    watch.begin()
    let before = ThreadTimes(ofProcess: host.pid)
    var crowd: CrowdProcesses?
    defer { crowd?.stop() }
    let recording = try await speaker.recordUntil { () throws(LabError) in
      let processes = try CrowdProcesses(
        count: clients,
        helpers: programs.helpers,
        server: server,
        levelLinear: Self.levelLinear,
      )
      crowd = processes
      for _ in 0..<(Self.longestSeconds - 2) * 100 {
        if watch.isComplete { break }
        guard processes.endedCount == 0 else {
          throw LabError(.tool, "\(processes.endedCount) clients of the crowd ended by themselves")
        }
        try await LabError.sleep(.milliseconds(10))
      }
      // The last cut is heard some periods later.
      try await LabError.sleep(Self.settling)
    }
    let after = ThreadTimes(ofProcess: host.pid)
    let result = watch.result
    crowd?.stop()
    crowd = nil
    try await waitForSilence(speaker)
    return Round(
      movedNanoseconds: result.movedNanoseconds,
      wholeNanoseconds: result.wholeNanoseconds,
      unmovedClients: clients - result.movedNanoseconds.count,
      portEvents: result.portEvents,
      controlNanoseconds: after.nanoseconds(ofThread: Self.controlThread, since: before),
      hostNanoseconds: after.allNanoseconds(since: before),
      heard: recording.channels.map {
        CrowdReading(
          $0,
          clients: clients,
          levelLinear: Self.levelLinear,
          stripGainLinear: Self.stripGainLinear,
        )
      },
      lostFrames: recording.lostFrames,
    )
  }

  /// Waits until the crowd has left and the loudspeakers are silent.
  private func waitForSilence(_ speaker: Speaker) async throws(LabError) {
    for _ in 0..<Self.patience {
      let heard = try await speaker.record(frames: 4 * bufferFrames) { () throws(LabError) in }
      if heard.recording.channels.allSatisfy({ $0.allSatisfy { $0 == 0 } }) { return }
    }
    throw LabError(.host, "a crowd that has gone is still heard")
  }

  private func record(_ rounds: [Round], startedAt: Date) -> BenchRecord {
    var moved = JitterStatistics()
    for time in rounds.flatMap(\.movedNanoseconds) { moved.record(nanoseconds: time) }
    var metrics = moved.distribution.metrics(named: "crowd.moved")
    let heard = rounds.flatMap(\.heard)
    func total(_ value: (CrowdReading) -> Int) -> Double {
      Double(heard.reduce(0) { $0 + value($1) })
    }
    metrics["crowd.unmoved.count"] = Double(rounds.reduce(0) { $0 + $1.unmovedClients })
    metrics["crowd.gap.frames"] = total(\.gapFrames)
    metrics["crowd.longestGap.frames"] = Double(heard.map(\.longestGapFrames).max() ?? 0)
    metrics["crowd.doubled.frames"] = total(\.doubledFrames)
    metrics["crowd.unreadable.frames"] = total(\.unreadableFrames)
    metrics["crowd.lost.frames"] = Double(rounds.reduce(0) { $0 + $1.lostFrames })
    var samples = [
      "crowd.moved.p50.microseconds": rounds.flatMap(\.movedNanoseconds).map { Double($0) / 1000 },
      "crowd.whole.milliseconds": rounds.map { Double($0.wholeNanoseconds) * 1e-6 },
      "crowd.events.count": rounds.map { Double($0.portEvents) },
      "crowd.host.milliseconds": rounds.map { Double($0.hostNanoseconds) * 1e-6 },
    ]
    let control = rounds.compactMap(\.controlNanoseconds)
    if control.count == rounds.count {
      samples["crowd.control.milliseconds"] = control.map { Double($0) * 1e-6 }
      samples["crowd.controlPerEvent.microseconds"] = zip(control, rounds).map {
        Double($0) / 1000 / Double(max(1, $1.portEvents))
      }
    }
    for (name, values) in samples where metrics[name] == nil { metrics[name] = values.median }
    return BenchRecord(
      benchmark: "adoption crowd",
      subject: "\(clients) stereo clients at once",
      configuration: stage.configuration,
      startedAt: startedAt,
      metrics: metrics,
      samples: samples,
      distributions: ["moved": moved.distribution],
      notes: control.count == rounds.count
        ? [] : ["no thread of the host is named \(Self.controlThread): its time is not known"],
    )
  }

  private static let channels = CrowdClient.channels
  /// The sum of 200 clients stays below full scale, and each single step of it can be detected.
  private static let levelLinear: Float = 1 / 256
  /// Multiples of the gain stay far from whole numbers, so that each sum has only one explanation.
  private static let stripGainDB = -4.18
  private static let stripGainLinear = Float(pow(10, stripGainDB / 20))
  private static let controlThread = "control"
  private static let settling = Duration.milliseconds(500)
  private static let longestSeconds = 60
  private static let patience = 200
}
