// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// Many nodes on one server, each a process of its own.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct NodeCrowdTests {
  private static let seconds = 6
  private static let nodeCount = 30

  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test(
    "IAA-6: 30 nodes come and go, and a steady stream loses no frame",
    .jackServer(frames: 128),
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
    try await recorder.pass(9_600)
    recorder.start()
    while recorder.capturedFrames < Self.seconds * 48_000 {
      let gone = nodes.removeFirst()
      gone.child.send(SIGTERM)
      try await come()
      _ = try await gone.child.waitForEnd()
      try await recorder.pass(48_000)
    }
    let recording = try await recorder.finish().channels[0]
    // A server that waits for its clients leaves no cycle out, on any machine.
    #expect(PlaceStream.lostFrames(recording) == 0)
    try await waitUntil("all remaining ones are reported", within: .seconds(30)) {
      let list = try await Multiroute.run("nodes", "--server", server, "--json", in: scratch)
      return nodes.allSatisfy { list.standardOutput.contains("\"n\($0.number)\"") }
    }
    for node in nodes { node.child.send(SIGTERM) }
    for node in nodes { _ = try await node.child.waitForEnd() }
    recorder.close()
    player.close()
  }
}
