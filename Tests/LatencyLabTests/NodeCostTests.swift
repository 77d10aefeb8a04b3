// SPDX-License-Identifier: MIT

import JACK
import TestSupport
import Testing

@testable import LatencyLab

extension JACKSuites {
  @Suite struct NodeCostTests {
    private static let thru = NodeCostBenchmark.Kind(
      name: "jack_thru",
      command: ["jack_thru", "{name}", "{server}"],
    )

    @Test(.aloneWithJACK)
    func measuresAHopOfAForeignProgram() async throws {
      var benchmark = NodeCostBenchmark(programs: LabPrograms())
      benchmark.kinds = [Self.thru, Self.thru]
      benchmark.clients = 3
      benchmark.repetition = Repetition(leastRounds: 1, mostSeconds: 0)
      benchmark.seconds = 0.5
      benchmark.bufferFrames = 512
      let records = try await benchmark.run()
      #expect(records.map(\.subject) == ["jack_thru", "jack_thru"])
      for record in records {
        let chain = try #require(record.metrics["node.chain.microseconds"])
        #expect(chain > 0)
        #expect(record.metrics["node.hop.microseconds"] != nil)
        #expect(record.configuration.chainedClients == 3)
      }
      #expect(records[1].notes.contains("node.ratioToBare.ratio: takes 5 rounds"))
    }

    @Test(.jackServer(frames: 256))
    func aProgramThatIsNoNodeIsNamed() async throws {
      let server = try testServer().name
      let error = await #expect(throws: LabError.self) {
        _ = try await ProcessChain(["nobody-has-this"], count: 2, server: server)
      }
      #expect(error?.description.contains("nobody-has-this") == true)
    }

    @Test(.jackServer(frames: 256))
    func tellsTheTimeOfEachClient() async throws {
      let server = try testServer().name
      let chain = try await ProcessChain(Self.thru.command, count: 2, server: server)
      defer { chain.close() }
      var options = WakeUpBenchmark.Options()
      options.serverName = server
      options.duration = .seconds(1)
      let metrics = try await WakeUpBenchmark.run(options).record.metrics
      for name in ["link-1", "link-2"] {
        let time = try #require(metrics["client.\(name).mean.microseconds"], "\(metrics.keys)")
        #expect(time > 0 && time < 5333)
      }
    }
  }
}
