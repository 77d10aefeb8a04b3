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

@testable import EndToEndSupport

/// Faults of an effect on a route, and their cost for others.
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
          ports: [system:playback_2, system:playback_3]
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

  /// A delay of a second, by which each sample is heard as itself and a hundredth more: where it ends the sound
  /// goes 480 places down, and in 64 frames no more than 8 at a time.
  private static let louder = ["--mix=0.01", "--feedback=0", "--time=1"]
  private static let largestFadeStep = 24

  /// Records the route as the hardware hears it: the strip's sound and the effects' sound.
  private func recordRoute(_ host: HostProcess) async throws -> Recorder {
    let recorder = try Recorder(
      from: [host.port("main_out_1")],
      capacityFrames: FaultWatchers.windowFrames,
      server: host.server,
      name: "room",
    )
    try await waitUntil("what the effects say is there, too") {
      try recorder.connection.connections(ofPort: "\(host.name)-main-out:out_1")
        .contains(recorder.portNames[0])
    }
    return recorder
  }

  /// Waits until the effect's delay is full.
  ///
  /// A second after it has started the sound rises by a hundredth at once, which must not count as a fault's step.
  private func waitUntilDelayed(_ room: Recorder) async throws {
    let frames = 1_000
    try await waitUntil("the delayed sound is heard, too") {
      let heard = room.latest(frames + 1)[0]
      guard let last = heard.last, let first = heard.first else { return false }
      return ((last - first) * Float(PlaceStream.period)).rounded() == Float(frames + frames / 100)
    }
  }

  /// Expects the route without its effect, sample for sample.
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

  /// Runs cycles from before a fault of the route's effect to after it, and expects that no other stream loses a frame and that the
  /// route fades.
  ///
  /// - Parameters:
  ///   - watchers: The other streams.
  ///   - room: The route.
  ///   - fault: Causes the fault.
  ///   - end: Whether the host has left the effect out.
  /// - Throws: ``TestFailure`` where it does not.
  private func expectFade(
    _ watchers: FaultWatchers,
    _ room: Recorder,
    at fault: () async throws -> Void,
    until end: () async throws -> Bool,
  ) async throws {
    let server = try steppedServer()
    await server.hold()
    // The stream falls at its end, which no fault has to do with.
    try await server.run(until: "the stream is far from its end") {
      (1_000..<30_000).contains(Int((room.latest(1)[0].last ?? 0) * Float(PlaceStream.period)))
    }
    watchers.start()
    room.start()
    try await server.step(40)
    try await fault()
    try await server.run(until: "the host leaves the effect out", end)
    try await server.step(10)
    let lost = try watchers.lost()
    #expect(lost.steady == 0 && lost.alone == 0, "\(lost)")
    let heard = room.captured.channels[0]
    #expect(heard.count < FaultWatchers.windowFrames)
    let step = PlaceStream.largestStep(heard, afterEnd: PlaceStream.period / 48)
    #expect(step <= Self.largestFadeStep)
    server.run()
  }

  @Test(
    """
    IAA-6: a route's effect is killed, and stopped, and started again; the route fades to the sound without it, and \
    no other stream loses a frame
    """,
    .steppedServer(frames: 128, channels: 3, timeLimitMilliseconds: 200),
    arguments: [(SIGKILL, false), (SIGKILL, true), (SIGSTOP, false)]
  )
  func restarted(signal: Int32, isGoneBeforeCycle: Bool) async throws {
    let server = try testServer().name
    let options = Self.louder.joined(separator: ", ")
    let file = try Scratch.passingNode("post").replacing("--mix=0", with: options)
    let host = try HostProcess(
      graph: try graph(restart: "always"),
      server: server,
      environment: try scratch.installNodes(["post": file]),
      in: scratch,
    )
    _ = try await host.attached()
    try await host.waitUntilHeard(1, running: 1)
    let watchers = try FaultWatchers(of: host.port("steady_out_1"), server: server)
    let room = try await recordRoute(host)
    let rounds = 2
    for round in 1...rounds {
      let started = try await host.waitForEvents(.nodeStarted, count: round)
      let pid = try #require(started.last).startedProcess()
      try watchers.connect("post:out_1")
      try await waitUntilDelayed(room)
      // One that the host has started is ended where it is stopped.
      try await expectFade(watchers, room) {
        // Not outside of JACK's store: that stops it first, which the host sees.
        kill(pid, signal)
        guard isGoneBeforeCycle else { return }
        // JACK may have taken it out of the graph when the next cycle begins, so that nobody waits for it.
        try await waitUntil("the effect's ports are gone") {
          try room.connection.ports(matching: "^post:").isEmpty
        }
      } until: {
        host.events.count { $0.kind == .nodeGone } == round
      }
      try await host.waitUntilHeard(1, running: 1)
    }
    let faults = host.events.filter { $0.kind == .nodeFault }
    #expect(faults.count == (signal == SIGSTOP ? rounds : 0), "\(faults.map(\.message))")
    #expect(faults.allSatisfy { $0.message.contains("SIGSTOP") })
    #expect(try await host.status().handovers.contains { $0.route == "main" && $0.misses > 0 })
    watchers.close()
    room.close()
    _ = try await host.stop()
  }

  @Test(
    "IAA-6: a route's effect that is stopped is left out until it continues",
    .steppedServer(frames: 128, channels: 3, timeLimitMilliseconds: 200)
  )
  func stopped() async throws {
    let server = try testServer().name
    let effect = try scratch.passing("post", server, Self.louder)
    let host = try await HostProcess.running(graph: try graph(), server: server, in: scratch)
    try await host.waitUntilHeard(1, running: 1)
    let watchers = try FaultWatchers(of: host.port("steady_out_1"), server: server)
    let room = try await recordRoute(host)
    try await waitUntilDelayed(room)
    try await expectFade(watchers, room) {
      effect.send(SIGSTOP)
    } until: {
      try await host.status().inserts.allSatisfy { $0.heard == 0 }
    }
    let chain = try #require(try await host.status().inserts.first)
    #expect(chain.nodes.first?.fault?.contains("SIGSTOP") == true)
    effect.send(SIGCONT)
    try await host.waitUntilHeard(1, running: 1, within: .seconds(90))
    watchers.close()
    room.close()
    _ = try await host.stop()
  }

  @Test(
    """
    IAA-6: an effect whose callbacks take longer than a period is bypassed, tried again, and bypassed until it is \
    set again
    """,
    .jackServer(frames: 256, synchronous: false, channels: 3),
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
    // By default a node is tried once more.
    let isTooSlowForGood = target.strip != nil
    let faults = try await host.waitForEvents(
      .nodeFault,
      count: isTooSlowForGood ? 2 : 1,
      within: .seconds(60),
    )
    effect.take(nanoseconds: 0)
    #expect(faults.allSatisfy { $0.nodeFault?.node == "slow" })
    let retries: [UInt64?] = isTooSlowForGood ? [5, nil] : [5]
    #expect(faults.map { $0.nodeFault?.retrySeconds } == retries)
    if isTooSlowForGood {
      try await host.waitForInserts { $0.contains { isIt($0) && $0.heard == 0 } }
      #expect(try await host.status().inserts.first(where: isIt)?.nodes.first?.fault != nil)
    } else {
      try await host.waitForInserts { $0.contains { isIt($0) && $0.heard == 1 } }
    }
    // The sound has gone on without it, and the host reports that.
    let late = try await host.waitForEvents(.nodeLate, count: 1)
    #expect(
      late.first?.nodeLate.map { $0.strip == target.strip && $0.route == target.route } == true
    )
    let handover = try await host.status().handovers.first {
      $0.strip == target.strip && $0.route == target.route
    }
    #expect(handover.map { $0.misses > 0 && $0.missedCycles >= $0.misses } == true)
    let again = SetBypass.Params(target: target, node: "slow", bypassed: false)
    _ = try await client.call(SetBypass.self, again)
    try await host.waitForInserts { $0.contains { isIt($0) && $0.heard == 1 } }
    await client.close()
    _ = try await host.stop()
    effect.node.close()
  }

  @Test(
    "IAA-6: a route's effect that a user takes away is bypassed and left so",
    .jackServer(channels: 3)
  )
  func byHand() async throws {
    let server = try testServer().name
    let effect = try scratch.passing("post", server)
    let host = try await HostProcess.running(graph: try graph(), server: server, in: scratch)
    try await host.waitUntilHeard(1, running: 1)
    let hand = try Recorder(from: [nil], capacityFrames: 1, server: server, name: "hand")
    try hand.connection.disconnect("post:out_1", from: "\(host.name)-main:return_1")
    try await host.waitUntilHeard(0)
    try await expectDry(host)
    let faults = try await host.waitForEvents(.nodeFault, count: 1)
    #expect(faults.first?.nodeFault?.route == "main")
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

  @Test(
    "IAA-6: what a user patches at a route's port has the effects with it, wherever it goes",
    .jackServer(channels: 3)
  )
  func followed() async throws {
    let server = try testServer().name
    let effect = try scratch.passing("post", server)
    let host = try await HostProcess.running(graph: try graph(), server: server, in: scratch)
    try await host.waitUntilHeard(1, running: 1)
    let hand = try Recorder(from: [nil], capacityFrames: 1, server: server, name: "hand")
    let (own, outlet) = (host.port("main_out_1"), "\(host.name)-main-out:out_1")
    for (old, new) in [(2, 1), (1, 2)] {
      try hand.connection.connect(own, to: "system:playback_\(new)")
      try hand.connection.disconnect(own, from: "system:playback_\(old)")
      try await waitUntil("the effects follow") {
        try hand.connection.connections(ofPort: outlet) == ["system:playback_\(new)"]
      }
    }
    #expect(try await host.status().inserts.first?.leftAlone == false)
    #expect(!host.events.contains { $0.kind == .nodeFault })
    hand.close()
    _ = try await host.stop()
    _ = effect
  }
}
