// SPDX-License-Identifier: MIT

import Foundation
import JACK
import LatencyLab
import TestSupport
import Testing

extension JACKSuites {
  @Suite struct RoundTripBenchmarkTests {
    private static func options(
      _ destination: String,
      _ source: String,
    ) throws -> RoundTripBenchmark.Options {
      var options = RoundTripBenchmark.Options(destinationPort: destination, sourcePort: source)
      options.serverName = try testServer().name
      options.repetitions = 2
      options.estimator.probeFrames = 8192
      options.estimator.maximumDelayFrames = 4096
      return options
    }

    @Test(
      .jackServer(frames: 128),
      arguments: [(1000.5, 1.0), (700.25, -0.5), (517, -0.001), (2048.125, 0.25)],
    )
    func readsALineOfKnownDelay(delayFrames: Double, gainLinear: Double) async throws {
      let line = try DelayLine(
        server: try testServer().name,
        delayFrames: delayFrames,
        gainLinear: gainLinear
      )
      defer { line.close() }
      let result = try await RoundTripBenchmark.run(
        try Self.options(line.inputPort, line.outputPort)
      )
      let delay = try #require(result.delayFrames)
      #expect(abs(delay - delayFrames) < 0.01)
      for reading in result.readings {
        let estimate = try reading.get()
        #expect(estimate.isInverted == (gainLinear < 0))
        #expect(abs(estimate.levelDB - 20 * log10(abs(gainLinear))) < 0.1)
      }
      #expect(
        result.claim == LatencyClaim(basis: .hardwareLoop, minimumFrames: 0, maximumFrames: 0)
      )
      #expect(result.discrepancy != .agrees)
      #expect(result.record.metrics["roundTrip.delay.frames"] == delay)
      #expect(result.refusal == nil)
    }

    @Test(.jackServer(frames: 64), arguments: [0, 1, 37])
    func readsAClientOfKnownDelay(delayFrames: Int) async throws {
      let client = try ThroughClient(
        server: try testServer().name,
        delayFrames: delayFrames,
        reportedFrames: UInt32(delayFrames),
      )
      defer { client.close() }
      let result = try await RoundTripBenchmark.run(
        try Self.options(client.inputPort, client.outputPort)
      )
      #expect(abs(try #require(result.delayFrames) - Double(delayFrames)) < 0.01)
      #expect(result.claim.basis == .graphPath)
      #expect(result.claim.maximumFrames == delayFrames)
      #expect(result.discrepancy == .agrees)
    }

    @Test(.jackServer(frames: 64), arguments: [13_000, 14_800, 16_000, 20_000, 32_000])
    func refusesADelayThatIsLongerThanItLooksFor(delayFrames: Int) async throws {
      let client = try ThroughClient(
        server: try testServer().name,
        delayFrames: delayFrames,
        reportedFrames: UInt32(delayFrames),
      )
      defer { client.close() }
      var options = try Self.options(client.inputPort, client.outputPort)
      options.repetitions = 4
      let result = try await RoundTripBenchmark.run(options)
      #expect(
        result.delayFrames == nil,
        "the answer to an earlier probe is taken for that to this one"
      )
      #expect(result.refusal != nil)
    }

    @Test(.jackServer(frames: 64))
    func oneClientAddsAPeriodInALoopAndNamesIt() async throws {
      let client = try ThroughClient(
        server: try testServer().name,
        delayFrames: 37,
        reportedFrames: 37
      )
      defer { client.close() }
      var options = try Self.options(client.inputPort, client.outputPort)
      options.usesOneClient = true
      let result = try await RoundTripBenchmark.run(options)
      #expect(abs(try #require(result.delayFrames) - 101) < 0.01)
      #expect(result.discrepancy == .unreportedPeriods(count: 1))
    }

    @Test(.jackServer(frames: 128))
    func agreesWithWhatTheLineReports() async throws {
      let line = try DelayLine(
        server: try testServer().name,
        delayFrames: 900,
        reportedFrames: 900
      )
      defer { line.close() }
      let result = try await RoundTripBenchmark.run(
        try Self.options(line.inputPort, line.outputPort)
      )
      #expect(result.claim.maximumFrames == 900)
      #expect(result.discrepancy == .agrees)
    }

    @Test(.jackServer(frames: 128), arguments: ["jack_iodelay", "jack_delay"])
    func agreesWithJACKsOwnPrograms(program: String) async throws {
      let server = try testServer().name
      let line = try DelayLine(server: server, delayFrames: 1234.567)
      defer { line.close() }
      let directory = try TemporaryDirectory()
      let path = "\(directory.path)/out"
      let watcher = try OpenedClient.open(name: "watcher", server: server)
        .activate()
      let connection = watcher.connection
      let lines = try await ForeignTool.run(program, [], server: server, output: path) {
        // Both programs call themselves jack_delay.
        try await waitUntil("\(program) has its ports") {
          try connection.ports(matching: "^jack_delay:(in|out)$").count == 2
        }
        try await waitUntil("\(program) is active") {
          (try? connection.connect("jack_delay:out", to: line.inputPort)) != nil
            && (try? connection.connect(line.outputPort, to: "jack_delay:in")) != nil
        }
        try await waitUntil("\(program) has read the delay", within: .seconds(20)) {
          let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
          return ForeignTool.frames(in: text.split(separator: "\n").map(String.init)).count >= 8
        }
      }
      watcher.close()
      let theirs = ForeignTool.frames(in: lines).suffix(5).sorted()[2]
      let result = try await RoundTripBenchmark.run(
        try Self.options(line.inputPort, line.outputPort)
      )
      let ours = try #require(result.delayFrames)
      #expect(abs(ours - theirs) < 0.01, "ours \(ours), theirs \(theirs)")
      #expect(abs(ours - 1234.567) < 0.01)
    }

    @Test(.jackServer(frames: 256))
    func refusesAPathThatCarriesNothing() async throws {
      let result = try await RoundTripBenchmark.run(
        try Self.options("system:playback_1", "system:capture_1")
      )
      #expect(result.delayFrames == nil)
      #expect(result.discrepancy == nil)
      for reading in result.readings {
        #expect(throws: RoundTripRefusal.self) { try reading.get() }
      }
      #expect(result.record.metrics["roundTrip.refused.count"] == 2)
      #expect(result.refusal?.contains("no reading was accepted") == true)
      #expect(result.record.notes.contains { $0.contains("silent") })
    }

    @Test(.jackServer(frames: 256))
    func refusesALineThatIsAllNoise() async throws {
      let line = try DelayLine(
        server: try testServer().name,
        delayFrames: 900,
        gainLinear: 0.001,
        noiseLinear: 0.3
      )
      defer { line.close() }
      let result = try await RoundTripBenchmark.run(
        try Self.options(line.inputPort, line.outputPort)
      )
      #expect(result.delayFrames == nil)
    }

    @Test(.jackServer(frames: 256))
    func namesThePortThatIsMissing() async throws {
      let options = try Self.options("nobody:in", "system:capture_1")
      let error = await #expect(throws: LabError.self) { try await RoundTripBenchmark.run(options) }
      #expect(error?.code == .jack)
      #expect(error?.description.contains("nobody:in") == true)
    }

    @Test(.aloneWithJACK)
    func saysThatNoServerRuns() async throws {
      var options = RoundTripBenchmark.Options(destinationPort: "a:b", sourcePort: "c:d")
      options.serverName = "lab-nobody-\(getpid())"
      let failing = options
      let error = await #expect(throws: LabError.self) { try await RoundTripBenchmark.run(failing) }
      #expect(error?.code == .jack)
    }
  }
}
