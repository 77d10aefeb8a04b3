// SPDX-License-Identifier: MIT

import CRealtime
import FoundationEssentials
import JACK

extension WakeUpBenchmark {
  /// Measures for the time asked for.
  ///
  /// - Parameters:
  ///   - options: The settings of the measurement.
  ///   - progress: Called about four times a second.
  /// - Returns: The distributions and xruns.
  /// - Throws: ``LabError`` where the server or a port is missing, or the task was cancelled.
  ///
  /// [control-thread]
  public static func run(
    _ options: Options,
    progress: BenchProgress.Handler = { _ in },
  ) async throws(LabError) -> Result {
    let seconds = options.duration / .seconds(1)
    guard (0.5...86_400).contains(seconds) else {
      throw LabError(.badOption, "duration is \(seconds) s, allowed is 0.5 s to 86400 s")
    }
    let startedAt = Date()
    let client = try probe(options, suffix: "", port: nil)
    defer { client.close() }
    let tail = options.sourcePorts.isEmpty ? nil : try probe(options, suffix: "-after", port: "in")
    defer { tail?.close() }
    let connection = client.connection
    let circumstances = try LabError.wrapping { () throws(JACKError) in
      if let tail {
        for port in options.sourcePorts {
          // The client that came last connects, because one before it may not know its port yet (PipeWire).
          try tail.connection.connect(port, to: "\(tail.connection.name):in")
        }
      }
      return try BenchRecord.Configuration(of: connection)
    }
    let isRealtime = try LabError.wrapping { () throws(JACKError) in try connection.isRealtime }
    let baseline =
      options.measuresBaseline
      ? try BaselineThread(
        periodNanoseconds: UInt64(circumstances.periodMicroseconds * 1000),
        priority: isRealtime ? Self.baselinePriority : 0,
      ) : nil
    defer { baseline?.stop() }
    let watch = XrunWatch(connection.notifications)
    defer { watch.stop() }

    // A client that has just come disturbs the graph: the first moments are left out.
    let begin = realtime_now_nanoseconds() + Self.settlingNanoseconds
    let end = begin + UInt64(seconds * 1e9)
    var collector = WakeUpCollector(
      beginNanoseconds: begin,
      stretchNanoseconds: UInt64(max(0.5, seconds / Self.stretches) * 1e9),
      periodNanoseconds: UInt64(circumstances.periodMicroseconds * 1000),
      hasTail: tail != nil,
    )
    var load = MachineLoad()
    var round = 0
    var lostAtBegin: UInt64?
    let graphTimes = GraphTimes(connection)
    let firstCycle = connection.processStatistics.cycles
    while true {
      try await LabError.sleep(Self.poll)
      let now = realtime_now_nanoseconds()
      while let sample = unsafe client.state.pointee.next() {
        if sample.startNanoseconds < end { collector.add(sample) }
      }
      while let tail, let sample = unsafe tail.state.pointee.next() { collector.addTail(sample) }
      while let sample = baseline?.next() { collector.add(sample) }
      for event in watch.takeEvents() where event.atNanoseconds < end { collector.add(event) }
      if now >= begin, lostAtBegin == nil { lostAtBegin = unsafe client.state.pointee.lostCount }
      if let reason = watch.shutdownReason {
        throw LabError(.jack, "the server has gone: \(reason)")
      }
      if round % Self.roundsPerReading == 0, let reading = load.read(atNanoseconds: now) {
        collector.add(reading)
      }
      if round % Self.roundsPerProgress == 0 {
        let done = now < begin ? 0 : min(1, Double(now - begin) / Double(end - begin))
        progress(
          BenchProgress(
            step: 1,
            stepCount: 1,
            label: circumstances.words,
            fractionDone: done,
            secondsLeft: (1 - done) * seconds,
          )
        )
      }
      round += 1
      if now >= end { break }
    }
    collector.finish()
    let clientNanoseconds = graphTimes.nanosecondsPerCycle(
      cycles: connection.processStatistics.cycles - firstCycle
    )
    var circumstancesNotes = isRealtime ? [] : ["the server is not scheduled in real time"]
    if isRealtime, let baseline, baseline.priority == 0 {
      circumstancesNotes.append("the plain thread got no real-time priority")
    }
    let facts = try LabError.wrapping { () throws(JACKError) in
      Facts(
        options: options,
        configuration: circumstances,
        startedAt: startedAt,
        loadPercent: Double(try connection.cpuLoadPercent),
        meanCallbackNanoseconds: connection.processStatistics.meanNanoseconds,
        lostCycles: unsafe client.state.pointee.lostCount - (lostAtBegin ?? 0),
        clientNanoseconds: clientNanoseconds,
        notes: circumstancesNotes,
      )
    }
    return Result(collector, facts)
  }

  private static func probe(
    _ options: Options,
    suffix: String,
    port: String?,
  ) throws(LabError) -> LabClient<WakeUpProbe> {
    try unsafe LabClient(
      name: options.clientName + suffix,
      server: options.serverName,
      process: wakeUpProcess,
    ) { connection throws(JACKError) in
      if let port { let _: AudioInputPort = try connection.register(port) }
      return WakeUpProbe()
    }
  }

  /// The facts of a result besides the samples.
  struct Facts {
    var options: Options
    var configuration: BenchRecord.Configuration
    var startedAt: Date
    var loadPercent: Double
    var meanCallbackNanoseconds: UInt64
    var lostCycles: UInt64
    /// A cycle of the other clients' audio threads, by their names.
    var clientNanoseconds: [String: Double]
    var notes: [String]
  }

  /// Name of the benchmark in records.
  static let benchmarkName = "wakeup"
  /// jackd's default priority for clients.
  private static let baselinePriority = 5
  private static let settlingNanoseconds: UInt64 = 300_000_000
  private static let poll = Duration.milliseconds(50)
  private static let roundsPerReading = 2
  private static let roundsPerProgress = 5
  /// The time line has about twenty stretches of at least half a second.
  private static let stretches = 20.0
}
