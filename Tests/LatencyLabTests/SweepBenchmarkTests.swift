// SPDX-License-Identifier: MIT

import Foundation
import JACK
import LatencyLab
import Synchronization
import TestSupport
import Testing

extension JACKSuites {
  @Suite struct SweepBenchmarkTests {
    private static func options(_ path: String) -> SweepBenchmark.Options {
      var options = SweepBenchmark.Options()
      options.sampleRatesHz = [48000]
      options.bufferFrames = [256, 1024]
      options.synchronousModes = [true, false]
      options.clientCounts = [2]
      options.durationPerPoint = .seconds(1)
      options.resumeFile = path
      return options
    }

    @Test(.aloneWithJACK)
    func measuresEveryPointAndDoesNotMeasureItTwice() async throws {
      let directory = try TemporaryDirectory()
      let options = Self.options(directory.path + "/sweep.jsonl")
      let steps = Mutex<[BenchProgress]>([])
      let result = try await SweepBenchmark.run(options) { step in
        steps.withLock { $0.append(step) }
      }
      #expect(!result.wasCancelled)
      #expect(result.report.records.count == 4)
      for record in result.report.records {
        #expect(record.configuration.sampleRateHz == 48000)
        #expect(record.configuration.bufferFrames == record.configuration.preferredBufferFrames)
        // Two pass-through clients add no delay, in either mode.
        let delay = try #require(record.metrics["roundTrip.delay.frames"], "\(record.notes)")
        #expect(abs(delay) < 0.01)
        #expect(record.metrics["wakeUp.p99.microseconds"] != nil)
        let frames = Double(record.configuration.bufferFrames)
        let claimed = try #require(record.metrics["system.claimedRoundTrip.frames"])
        // Without -S jackd adds a period to playback.
        #expect(claimed == (record.configuration.isSynchronous == true ? 2 : 3) * frames)
      }
      #expect(result.lowestHoldingSizes.count == 2)
      let progress = steps.withLock { $0 }
      #expect(progress.map(\.fractionDone) == progress.map(\.fractionDone).sorted())
      #expect(progress.contains { $0.secondsLeft != nil })

      let again = try await SweepBenchmark.run(options)
      let isSame = again.report.records == result.report.records
      #expect(isSame)
      let isKept = try BenchReport(contentsOf: directory.path + "/sweep.jsonl") == again.report
      #expect(isKept)
    }

    @Test(.aloneWithJACK)
    func goesOnAfterBeingCancelledAndAfterACutOffLine() async throws {
      let directory = try TemporaryDirectory()
      var options = Self.options(directory.path + "/sweep.jsonl")
      options.synchronousModes = [true]
      let hasFirst = Mutex(false)
      let task = Task { [options] in
        try await SweepBenchmark.run(options) { step in
          if step.step == 2 { hasFirst.withLock { $0 = true } }
        }
      }
      try await waitUntil("the first point is done", within: .seconds(30)) {
        hasFirst.withLock { $0 }
      }
      task.cancel()
      let cancelled = try await task.value
      #expect(cancelled.wasCancelled)
      #expect(cancelled.report.records.count == 1)

      let text = try String(contentsOf: URL(filePath: options.resumeFile ?? ""), encoding: .utf8)
      _ = try directory.write(text + "{\"type\":\"res", to: "sweep.jsonl")
      let resumed = try await SweepBenchmark.run(options)
      #expect(resumed.report.records.count == 2)
      let isKept = resumed.report.records.first == cancelled.report.records.first
      #expect(isKept)
      let isSame = try BenchReport(contentsOf: options.resumeFile ?? "") == resumed.report
      #expect(isSame)
    }

    @Test func aFileThatIsNoReportIsRefusedWithWhatToDo() async throws {
      let directory = try TemporaryDirectory()
      let options = Self.options(try directory.write("{\"x\":1}\n", to: "sweep.jsonl"))
      let error = await #expect(throws: LabError.self) { try await SweepBenchmark.run(options) }
      #expect(error?.code == .badFile)
      #expect(error?.description.contains("name another one, or remove it") == true)
    }

    @Test(.jackServer(frames: 256))
    func sweepsARunningServerAndPutsItsSizeBack() async throws {
      let server = try testServer().name
      var options = SweepBenchmark.Options()
      options.target = .runningServer(name: server)
      options.bufferFrames = [128, 512]
      options.durationPerPoint = .seconds(1)
      let result = try await SweepBenchmark.run(options)
      #expect(result.report.records.map(\.configuration.bufferFrames) == [128, 512])
      let client = try OpenedClient.open(name: "look", server: server)
      #expect(try client.connection.bufferFrames == 256)
      client.close()
    }

    @Test func refusesOptionsOutOfRange() async throws {
      for change in [
        { $0.bufferFrames = [0] }, { $0.bufferFrames = [3] }, { $0.sampleRatesHz = [] },
        { $0.clientCounts = [33] },
        { $0.synchronousModes = [] },
      ] as [(inout SweepBenchmark.Options) -> Void] {
        var options = SweepBenchmark.Options()
        change(&options)
        let failing = options
        let error = await #expect(throws: LabError.self) { try await SweepBenchmark.run(failing) }
        #expect(error?.code == .badOption)
      }
    }
  }
}
