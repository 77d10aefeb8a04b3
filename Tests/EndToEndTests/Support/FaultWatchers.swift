// SPDX-License-Identifier: MIT

import JACK
import TestSupport

/// Recorders that count the frames which a node's fault costs others.
final class FaultWatchers {
  /// How much each captures of a fault: half a second.
  static let windowFrames = 24_000

  /// Lost frames.
  struct Lost {
    /// Of the host's other stream.
    var steady: Int
    /// Frames of a stream outside the host.
    var alone: Int
    /// By a client that is connected with the node, as any JACK client is.
    var behind: Int
    /// Whether the first two are exact but for cycles that are missing as a whole.
    var areWholeCycles = true

    static func += (sum: inout Lost, more: Lost) {
      sum.steady += more.steady
      sum.alone += more.alone
      sum.behind += more.behind
      sum.areWholeCycles = sum.areWholeCycles && more.areWholeCycles
    }
  }

  private let cycleFrames: Int
  private let player: Player
  private let steady: Recorder
  private let alone: Recorder
  private let behind: Recorder

  /// Opens the clients; the host plays ``PlaceStream`` at `port`.
  init(of port: String, server: String) throws {
    func recorder(_ sources: [String?], _ name: String) throws -> Recorder {
      try Recorder(from: sources, capacityFrames: Self.windowFrames, server: server, name: name)
    }
    cycleFrames = Int(try testServer().process.configuration.periodFrames)
    player = try Player([PlaceStream.samples], loops: true, server: server)
    steady = try recorder([port], "steady")
    alone = try recorder([player.portNames[0]], "alone")
    behind = try recorder([player.portNames[0], nil], "behind")
    player.start()
  }

  /// Puts one of them behind a node, and returns how long the server has taken to connect it.
  func connect(_ port: String) throws -> Duration {
    let begin = ContinuousClock.now
    try behind.connection.connect(port, to: behind.portNames[1])
    return ContinuousClock.now - begin
  }

  /// Takes it away from there, and returns how long the server has taken.
  func disconnect(_ port: String) throws -> Duration {
    let begin = ContinuousClock.now
    try behind.connection.disconnect(port, from: behind.portNames[1])
    return ContinuousClock.now - begin
  }

  /// Begins to capture.
  func start() {
    for recorder in [steady, alone, behind] { recorder.start() }
  }

  /// Waits until the two that are not behind the node have captured a number of frames.
  func waitUntilCaptured(_ frames: Int) async throws {
    try await waitUntil("\(frames) frames are captured") {
      steady.capturedFrames >= frames && alone.capturedFrames >= frames
    }
  }

  /// Waits until the two that are not behind the node have captured all.
  ///
  /// The third one stands behind a stopped client, and JACK does not call it.
  func waitForOthers() async throws {
    try await waitUntil("two have captured", within: .seconds(30)) {
      steady.capturedFrames == Self.windowFrames && alone.capturedFrames == Self.windowFrames
    }
  }

  /// Waits for the third, too, and counts.
  func finish() async throws -> Lost {
    _ = try await behind.finish(within: .seconds(60))
    func lost(_ recorder: Recorder) -> Int {
      PlaceStream.lostFrames(recorder.captured.channels[0])
    }
    return Lost(
      steady: lost(steady),
      alone: lost(alone),
      behind: lost(behind),
      areWholeCycles: [steady, alone].allSatisfy {
        PlaceStream.losesWholeCycles($0.captured.channels[0], of: cycleFrames)
      },
    )
  }

  /// Closes the clients.
  func close() {
    for recorder in [steady, alone, behind] { recorder.close() }
    player.close()
  }
}
