// SPDX-License-Identifier: MIT

import Foundation
import InterAppAudio
import JACK
import NodeKit
import TestSupport
import Testing

/// Many nodes on one server.
///
/// `NODE_CROWD_SECONDS=600` makes a long show of it.
@Suite(.serialized, .timeLimit(.minutes(15)))
struct NodeCrowdTests {
  private static let nodeCount = 30
  private static let period = 48_000

  @Test(
    "IAA-6: 30 nodes come and go, and a steady stream loses no frame",
    .jackServer(frames: 128, synchronous: false),
  )
  func comeAndGo() async throws {
    let environment = ProcessInfo.processInfo.environment
    let seconds = environment["NODE_CROWD_SECONDS"].flatMap { Int($0) } ?? 6
    let server = try testServer().name
    let folder = try NodeFolder()
    let host = try InterAppHost(
      HostDescription(name: "crowd"),
      server: server,
      folders: folder.folders,
    )
    // Every sample tells its place, so that a lost or doubled cycle shows.
    let stream = (0..<Self.period).map { Float($0 + 1) / Float(Self.period) }
    let player = try Player([stream], loops: true, server: server)
    let recorder = try Recorder(
      from: player.portNames,
      capacityFrames: seconds * 48_000,
      server: server,
    )
    var nodes: [PublishedNode<StereoDelay>] = []
    for index in 0..<Self.nodeCount {
      nodes.append(try StereoDelay.publish(client: "n\(index)", server: server))
    }
    player.start()
    try await Task.sleep(for: .milliseconds(100))
    recorder.start()
    var next = Self.nodeCount
    while recorder.capturedFrames < seconds * 48_000 {
      nodes.removeFirst().close()
      nodes.append(try StereoDelay.publish(client: "n\(next)", server: server))
      next += 1
      try await Task.sleep(for: .seconds(1))
    }
    let recording = try await recorder.finish().channels[0]
    let steps = zip(recording, recording.dropFirst()).count { before, after in
      Int((before * Float(Self.period)).rounded()) % Self.period + 1
        != Int((after * Float(Self.period)).rounded())
    }
    let xruns = recorder.connection.xruns.count
    print("\(next) nodes in \(seconds) s: \(steps) breaks in the stream, \(xruns) xruns")
    // Where the machine itself was late, JACK leaves cycles out for everybody.
    #expect(steps <= Int(xruns))
    #expect(await host.nodes().count == Self.nodeCount)
    for node in nodes { node.close() }
    recorder.close()
    player.close()
    await host.close()
  }
}
