// SPDX-License-Identifier: MIT

import JACK
import LatencyLab
import TestSupport
import Testing

extension JACKSuites {
  @Suite struct WakeUpBenchmarkTests {
    @Test(.jackServer(frames: 256))
    func countsEveryCycleAndCostsNearlyNothing() async throws {
      var options = WakeUpBenchmark.Options()
      options.serverName = try testServer().name
      options.duration = .seconds(2)
      let result = try await WakeUpBenchmark.run(options)
      // Two seconds at 48 kHz / 256 are 375 cycles; xruns cost some.
      let metrics = result.record.metrics
      #expect(result.wakeUp.count > 250 && result.wakeUp.count <= 380)
      #expect(result.interval.count + 1 >= result.wakeUp.count)
      #expect(result.lostCycles == 0)
      let baseline = try #require(result.baseline)
      #expect(baseline.count > 100)
      #expect(result.wakeUp.p50Microseconds <= result.wakeUp.p99Microseconds)
      #expect(result.wakeUp.p99Microseconds <= result.wakeUp.maximumMicroseconds)
      #expect(result.record.timeline.count >= 3)
      #expect(metrics["wakeUp.p99.percentOfPeriod"] != nil)
      #expect(result.record.configuration.bufferFrames == 256)
      #expect(
        result.record.samples["wakeUp.p50.microseconds"]?.count == result.record.timeline.count
      )
    }

    @Test(.jackServer(frames: 512))
    func measuresTheTimeOfTheClientsBefore() async throws {
      let server = try testServer().name
      let client = try SlowClient(server: server, microseconds: 2000)
      defer { client.close() }
      var options = WakeUpBenchmark.Options()
      options.serverName = server
      options.duration = .seconds(1)
      options.measuresBaseline = false
      options.sourcePorts = [client.outputPort]
      let after = try await WakeUpBenchmark.run(options)
      #expect(after.baseline == nil)
      let graph = try #require(after.graph)
      // The slow client begins no earlier than the cycle, but it may run while the first client still waits
      // to be woken: only both times together are as long as the slow client's.
      #expect(after.wakeUp.p50Microseconds + graph.p50Microseconds > 1900)
      #expect(graph.count + 5 > after.wakeUp.count)
      #expect(after.record.subject.contains(client.outputPort))
    }

    @Test(.jackServer(frames: 128))
    func recordsXrunsWithWhatTheMachineDid() async throws {
      let server = try testServer().name
      // Three periods: each call makes the server late.
      let client = try SlowClient(server: server, microseconds: 8000, everyCycles: 200)
      defer { client.close() }
      var options = WakeUpBenchmark.Options()
      options.serverName = server
      options.duration = .seconds(3)
      let result = try await WakeUpBenchmark.run(options)
      #expect(result.xruns.count >= 1)
      #expect(result.record.metrics["xruns.count"] == Double(result.xruns.count))
      let xrun = try #require(result.xruns.first)
      #expect((0...3.2).contains(xrun.seconds))
      #expect(xrun.baselineMicroseconds != nil)
      #expect(xrun.processorBusyShare.map { (0...1).contains($0) } == true)
    }

    @Test(.jackServer(frames: 256))
    func stopsWhenCancelled() async throws {
      var options = WakeUpBenchmark.Options()
      options.serverName = try testServer().name
      options.duration = .seconds(60)
      let task = Task { [options] in try await WakeUpBenchmark.run(options) }
      // It has begun to measure, and would go on for a minute.
      try await passFrames(14_400, on: testServer().name)
      task.cancel()
      let result = await task.result
      let error = #expect(throws: LabError.self) { try result.get() }
      #expect(error?.code == .cancelled)
    }

    @Test(.jackServer(frames: 256))
    func saysThatTheServerHasGone() async throws {
      let server = try testServer()
      var options = WakeUpBenchmark.Options()
      options.serverName = server.name
      options.duration = .seconds(60)
      let task = Task { [options] in try await WakeUpBenchmark.run(options) }
      // It has begun to measure, and would go on for a minute.
      try await passFrames(24_000, on: server.name)
      try await server.kill()
      let result = await task.result
      let error = #expect(throws: LabError.self) { try result.get() }
      #expect(error?.code == .jack)
    }
  }
}
