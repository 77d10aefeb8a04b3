// SPDX-License-Identifier: MIT

import JACK
import TestSupport
import Testing

@testable import LatencyLab

extension JACKSuites {
  /// Clients of a measurement are connected as soon as JACK allows it.
  @Suite struct ConnectOnceActiveTests {
    @Test(.jackServer())
    func waitsForAClientThatHasPortsAndIsNotYetActive() async throws {
      let server = try testServer().name
      let source = try ThroughClient(server: server, delayFrames: 0, reportedFrames: 0)
      defer { source.close() }
      let output = source.outputPort
      let late = try OpenedClient.open(name: "late", server: server)
      let _: AudioInputPort = try late.connection.register("in")
      let patcher = try OpenedClient.open(name: "patcher", server: server)
      let connection = patcher.connection
      #expect(throws: JACKError.self) {
        try connection.connect(output, to: "late:in")
      }
      async let connecting: Void = connection.connectOnceActive(
        output,
        to: "late:in",
      )
      let active = try late.activate()
      try await connecting
      #expect(try connection.connections(ofPort: output) == ["late:in"])
      _ = active.close()
      _ = patcher.close()
    }

    @Test(.jackServer())
    func givesUpWithJACKsAnswer() async throws {
      let server = try testServer().name
      let patcher = try OpenedClient.open(name: "patcher", server: server)
      let connection = patcher.connection
      let error = await #expect(throws: LabError.self) {
        try await connection.connectOnceActive("none:out", to: "none:in", attempts: 2)
      }
      #expect(error?.code == .jack)
      _ = patcher.close()
    }
  }
}
