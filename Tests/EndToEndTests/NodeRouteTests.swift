// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import InterAppAudio
import JACK
import TestSupport
import Testing

/// What goes wrong with an effect on a route, and what that costs others.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct NodeRouteTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// A route with the effect `post`, and one without.
  private func graph(restart: String = "never") throws -> String {
    try scratch.write([PlaceStream.samples], to: "steady.wav", format: .wavFloat32)
    return try scratch.write(
      """
      multiroute: 1
      session: {category: multiRoute, options: [mixWithOthers]}
      routes:
        steady: {type: lineOut, ports: [system:playback_1]}
        main:
          type: headphones
          ports: [system:playback_2]
          inserts: [{name: post, restart: \(restart)}]
      sources:
        stream: {file: steady.wav, loop: true}
      mix:
        - {from: stream, to: steady}
        - {from: stream, to: main}
      """,
      to: "route.yaml",
    )
  }

  /// What is heard of the route beside the effect is all of it, sample for sample.
  private func expectDry(_ host: HostProcess) async throws {
    let recorder = try Recorder(
      from: [host.port("steady_out_1"), host.port("main_out_1")],
      capacityFrames: 4_800,
      server: host.server,
      name: "dry",
    )
    recorder.start()
    let channels = try await recorder.finish().channels
    #expect(channels[0].contains { $0 != 0 })
    #expect(channels[0] == channels[1])
    recorder.close()
  }

  @Test(
    "IAA-6: a route's effect is killed, and stopped, and started again; no other stream loses a frame",
    .jackServer(frames: 128, synchronous: false)
  )
  func restarted() async throws {
    let server = try testServer().name
    let host = try HostProcess(
      graph: try graph(restart: "always"),
      server: server,
      environment: try scratch.installNodes(["post": Scratch.passingNode("post")]),
      in: scratch,
    )
    _ = try await host.attached()
    try await host.waitUntilHeard(1, running: 1)
    let watchers = try FaultWatchers(of: host.port("steady_out_1"), server: server)
    for (index, signal) in [SIGKILL, SIGSTOP].enumerated() {
      let started = try await host.waitForEvents(.nodeStarted, count: index + 1)
      guard case .integer(let pid)? = started.last?.details["pid"] else {
        throw TestFailure("the event tells no process: \(started)")
      }
      _ = try watchers.connect("post:out_1")
      watchers.start()
      try await Task.sleep(for: .milliseconds(100))
      kill(pid_t(pid), signal)
      // One that the host has started is ended where it is stopped.
      _ = try await host.waitForEvents(.nodeGone, count: index + 1)
      let lost = try await watchers.finish()
      #expect(lost.behind > 0)
      #expect((lost.steady - lost.alone) * 10 <= lost.behind, "\(lost)")
      try await host.waitUntilHeard(1, running: 1)
    }
    let faults = host.events.filter { $0.kind == .nodeFault }
    #expect(faults.count == 1)
    #expect(faults.first?.message.contains("SIGSTOP") == true)
    watchers.close()
    _ = try await host.stop()
  }

  @Test(
    "IAA-6: a route's effect that is stopped is left out until it goes on",
    .jackServer(frames: 128, synchronous: false)
  )
  func stopped() async throws {
    let server = try testServer().name
    let effect = try scratch.passing("post", server)
    let host = try await HostProcess.running(graph: try graph(), server: server, in: scratch)
    try await host.waitUntilHeard(1, running: 1)
    let watchers = try FaultWatchers(of: host.port("steady_out_1"), server: server)
    watchers.start()
    try await Task.sleep(for: .milliseconds(100))
    effect.send(SIGSTOP)
    try await host.waitUntilHeard(0)
    try await watchers.waitForOthers()
    let chain = try #require(try await host.status().inserts.first)
    #expect(chain.nodes.first?.fault?.contains("SIGSTOP") == true)
    let lost = try await watchers.finish()
    #expect(lost.steady <= lost.alone + FaultWatchers.windowFrames / 20, "\(lost)")
    effect.send(SIGCONT)
    try await host.waitUntilHeard(1, running: 1, within: .seconds(90))
    watchers.close()
    _ = try await host.stop()
  }

  @Test(
    "IAA-6: an effect whose callbacks take longer than a period is bypassed until it is set again",
    .jackServer(frames: 256, synchronous: false),
    arguments: [MixTarget.strip("stream"), .route("main")]
  )
  func overrunning(_ target: MixTarget) async throws {
    let server = try testServer().name
    let effect = try OwnEffect("slow", server: server)
    let host = try await HostProcess.running(graph: try graph(), server: server, in: scratch)
    let client = try await host.control()
    let wanted = SetInserts.Params(target: target, nodes: ["slow"])
    _ = try await client.call(SetInserts.self, wanted)
    func isIt(_ chain: InsertStatus) -> Bool { chain.nodes.first?.name == "slow" }
    try await host.waitForInserts { $0.contains { isIt($0) && $0.heard == 1 } }
    effect.take(nanoseconds: 3 * 256 * 1_000_000_000 / 48_000)
    let faults = try await host.waitForEvents(.nodeFault, count: 1, within: .seconds(30))
    effect.take(nanoseconds: 0)
    #expect(faults.first?.details["node"] == .string("slow"))
    try await host.waitForInserts { $0.contains { isIt($0) && $0.heard == 0 } }
    #expect(try await host.status().inserts.first(where: isIt)?.nodes.first?.fault != nil)
    if case .strip(let strip) = target {
      // The mix has gone on without it, and says so.
      let late = try await host.waitForEvents(.nodeLate, count: 1)
      #expect(late.first?.details["strip"] == .string(strip))
      let handover = try await host.status().handovers.first { $0.strip == strip }
      #expect(handover.map { $0.misses > 0 && $0.missedCycles >= $0.misses } == true)
    }
    let again = SetBypass.Params(target: target, node: "slow", bypassed: false)
    _ = try await client.call(SetBypass.self, again)
    try await host.waitForInserts { $0.contains { isIt($0) && $0.heard == 1 } }
    await client.close()
    _ = try await host.stop()
    effect.node.close()
  }

  @Test("IAA-6: a route's effect that a user takes away is bypassed and left so", .jackServer())
  func byHand() async throws {
    let server = try testServer().name
    let effect = try scratch.passing("post", server)
    let host = try await HostProcess.running(graph: try graph(), server: server, in: scratch)
    try await host.waitUntilHeard(1, running: 1)
    let hand = try Recorder(from: [nil], capacityFrames: 1, server: server, name: "hand")
    try hand.connection.disconnect("post:out_1", from: "system:playback_2")
    try await host.waitUntilHeard(0)
    try await expectDry(host)
    let faults = try await host.waitForEvents(.nodeFault, count: 1)
    #expect(faults.first?.details["route"] == .string("main"))
    #expect(try await host.status().inserts.first?.leftAlone == true)
    let client = try await host.control()
    let again = SetBypass.Params(target: .route("main"), node: "post", bypassed: false)
    _ = try await client.call(SetBypass.self, again)
    try await host.waitUntilHeard(1)
    await client.close()
    hand.close()
    _ = try await host.stop()
    _ = effect
  }
}
