// SPDX-License-Identifier: MIT

import JACK
import TestSupport

@testable import EndToEndSupport

/// Recorders on a stepped server that count the frames which a node's fault costs others.
final class FaultWatchers {
  /// How much each captures at most: the cycles of a fault, of which a stopped client holds some for long.
  static let windowFrames = 480_000

  /// Lost frames.
  struct Lost {
    /// Of the host's other stream.
    var steady: Int
    /// Frames of a stream outside the host.
    var alone: Int
    /// By a client that is connected with the node, as any JACK client is.
    var behind: Int
  }

  private let player: Player
  private let steady: Recorder
  private let alone: Recorder
  private let behind: Recorder

  /// Opens the clients; the host plays ``PlaceStream`` at `port`.
  init(of port: String, server: String) throws {
    func recorder(_ sources: [String?], _ name: String) throws -> Recorder {
      try Recorder(from: sources, capacityFrames: Self.windowFrames, server: server, name: name)
    }
    player = try Player([PlaceStream.samples], loops: true, server: server)
    steady = try recorder([port], "steady")
    alone = try recorder([player.portNames[0]], "alone")
    behind = try recorder([player.portNames[0], nil], "behind")
    player.start()
  }

  /// Puts one of them behind a node.
  func connect(_ port: String) throws {
    try behind.connection.connect(port, to: behind.portNames[1])
  }

  /// Takes it away from there.
  func disconnect(_ port: String) throws {
    try behind.connection.disconnect(port, from: behind.portNames[1])
  }

  /// Begins to capture.
  func start() {
    for recorder in [steady, alone, behind] { recorder.start() }
  }

  /// How much the client behind the node has captured.
  var behindFrames: Int { behind.capturedFrames }

  /// Counts what is lost so far.
  ///
  /// - Throws: ``TestFailure`` where more was played than is captured.
  func lost() throws -> Lost {
    func lost(_ recorder: Recorder) throws -> Int {
      let captured = recorder.captured.channels[0]
      guard captured.count < Self.windowFrames else { throw TestFailure("the window is full") }
      return PlaceStream.lostFrames(captured)
    }
    return Lost(steady: try lost(steady), alone: try lost(alone), behind: try lost(behind))
  }

  /// Closes the clients.
  func close() {
    for recorder in [steady, alone, behind] { recorder.close() }
    player.close()
  }
}
