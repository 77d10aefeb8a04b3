// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import Glibc
import Sessions
import TestSupport
import Testing

@testable import EndToEndSupport

/// Programs that make a route's ports, run and watched by the host.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct HelperTests {
  private func helper(_ host: HostProcess, _ route: Int) async throws -> HelperStatus {
    try #require(try await host.status().routes[route].helper)
  }

  @Test(.jackServer(), arguments: ["njbridge", "jacktrip"])
  func `a route to another machine is heard there, and its program is started again`(
    kind: String
  ) async throws {
    let scratch = try Scratch()
    let port = try await SurfaceRig.freePort()
    let routes =
      kind == "njbridge"
      ? """
        far: {njbridge: {address: 127.0.0.1, port: \(port)}}
        near: {direction: input, njbridge: {address: 127.0.0.1, port: \(port)}}
      """
      : """
        far: {jacktrip: {address: 127.0.0.1, port: \(port), peerPort: \(port + 1)}}
        near: {direction: input, jacktrip: {port: \(port + 1), peerPort: \(port)}}
      """
    let graph = try scratch.write(
      """
      multiroute: 1
      routes:
      \(routes)
      sources:
        tone: {tone: {frequency: 1 kHz, level: -6 dB}}
        back: {input: near}
      mix:
        - {from: tone, to: far}
      """,
      to: "far.yaml",
    )
    let host = try await HostProcess.running(
      graph: graph,
      server: try testServer().name,
      in: scratch,
    )
    try await waitUntil("both ends have their ports", within: .seconds(20)) {
      try await host.status().routes.allSatisfy(\.available)
    }
    #expect(try await host.status().routes.map(\.$type) == ["virtual", "virtual"])
    let receiver = try Recorder(
      from: ["\(host.name)-near:\(kind == "njbridge" ? "out" : "receive")_1"],
      capacityFrames: 0,
      server: try testServer().name,
    )
    func waitForTone() async throws {
      // Late cycles of JACK keep zita-n2j from it: four of them, 6.5 s; one machine was late for more than 20 s.
      try await waitUntil("the tone comes back", within: .seconds(90)) {
        let heard = receiver.latest(4_800)[0]
        return !heard.isEmpty && abs(Signals.amplitudeDB(heard, ofFrequencyHz: 1_000) + 6) < 0.5
      }
    }
    try await waitForTone()

    let before = try await helper(host, 0)
    #expect(before.state == .running && before.restarts == 0)
    // A stopped helper is as good as dead, and silent.
    for (signal, restarts) in [(SIGKILL, 1), (SIGSTOP, 2)] {
      let pid = try #require(try await helper(host, 0).pid)
      kill(pid, signal)
      try await waitUntil("it runs again", within: .seconds(30)) {
        let now = try await helper(host, 0)
        return now.state == .running && now.restarts >= restarts && now.pid != pid
      }
      try await waitForTone()
    }
    receiver.close()
    let pids = try await host.status().routes.compactMap(\.helper?.pid)
    #expect(pids.count == 2)
    host.child.send(SIGKILL)
    _ = try await host.child.waitForEnd()
    try await waitUntil("its programs are gone with a killed host") {
      pids.allSatisfy { kill($0, 0) != 0 }
    }
  }
}
