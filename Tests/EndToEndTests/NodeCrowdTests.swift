// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import JACK
import TestSupport
import Testing

/// Many nodes on one server, each a process of its own.
@Suite(.serialized, .timeLimit(.minutes(15)))
struct NodeCrowdTests {
  private static let environment = ProcessInfo.processInfo.environment
  /// 600 for figures: `NODE_CROWD_SECONDS=600`.
  private static let seconds = environment["NODE_CROWD_SECONDS"].flatMap { Int($0) } ?? 6
  /// `NODE_CROWD_MODE=asynchronous`: the server does not wait for clients that are late.
  private static let isSynchronous = environment["NODE_CROWD_MODE"] != "asynchronous"
  /// `NODE_CROWD_KILLS=1`: every other one goes as a crash would take it.
  private static let kills = environment["NODE_CROWD_KILLS"] != nil
  private static let nodeCount = 30

  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test(
    "IAA-6: 30 nodes come and go, and a steady stream loses no frame",
    .jackServer(frames: 128, synchronous: Self.isSynchronous),
  )
  func comeAndGo() async throws {
    let server = try testServer().name
    let player = try Player([PlaceStream.samples], loops: true, server: server)
    let recorder = try Recorder(
      from: player.portNames,
      capacityFrames: Self.seconds * 48_000,
      server: server,
    )
    let connection = recorder.connection
    var nodes: [(number: Int, child: Child)] = []
    var next = 0
    func come() async throws {
      nodes.append((next, try scratch.passing("n\(next)", server)))
      try await waitUntil("n\(next) is there", within: .seconds(30)) {
        try connection.ports(matching: "^n\(next):").isEmpty == false
      }
      next += 1
    }
    while nodes.count < Self.nodeCount { try await come() }
    player.start()
    try await waitUntil("it plays") { player.firstFrame != nil }
    try await Task.sleep(for: .milliseconds(200))
    let before = connection.xruns.count
    recorder.start()
    while recorder.capturedFrames < Self.seconds * 48_000 {
      let gone = nodes.removeFirst()
      gone.child.send(Self.kills && gone.number.isMultiple(of: 2) ? SIGKILL : SIGTERM)
      try await come()
      _ = try await gone.child.waitForEnd()
      try await Task.sleep(for: .seconds(1))
    }
    let recording = try await recorder.finish().channels[0]
    let breaks = zip(recording, recording.dropFirst()).count { pair in
      PlaceStream.lostFrames([pair.0, pair.1]) != 0
    }
    let lost = PlaceStream.lostFrames(recording)
    let xruns = connection.xruns.count - before
    print(
      "\(next) nodes in \(Self.seconds) s: \(breaks) breaks in the stream (\(lost) frames), \(xruns) xruns"
    )
    // Where the machine itself is late, a server that does not wait leaves cycles out for everybody.
    #expect(breaks <= (Self.isSynchronous ? 0 : Int(xruns)))
    try await waitUntil("all that are left are told", within: .seconds(30)) {
      let list = try await Multiroute.run("nodes", "--server", server, "--json", in: scratch)
      return nodes.allSatisfy { list.standardOutput.contains("\"n\($0.number)\"") }
    }
    for node in nodes { node.child.send(SIGTERM) }
    for node in nodes { _ = try await node.child.waitForEnd() }
    recorder.close()
    player.close()
  }
}
