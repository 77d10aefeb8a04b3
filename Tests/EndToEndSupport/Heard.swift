// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import Foundation
import JACK
import TestSupport

@testable import AudioSession

/// A recorder at ports of the host.
struct Heard {
  let recorder: Recorder
  let host: HostProcess

  /// Waits until the signal of a single port stands at a level.
  func waitForLevel(
    _ level: Float,
    file: String = #fileID,
    line: Int = #line,
  ) async throws {
    try await waitForLevels([level], file: file, line: line)
  }

  /// Waits until the signals of all ports stand at these levels at once.
  func waitForLevels(
    _ levels: [Float],
    file: String = #fileID,
    line: Int = #line,
  ) async throws {
    do {
      try await waitUntil("the levels are \(levels)", file: file, line: line) {
        zip(recorder.latest(256), levels).allSatisfy { samples, level in
          samples.count == 256 && samples.allSatisfy { abs($0 - level) < 0.001 }
        }
      }
    } catch {
      let sources = try recorder.portNames.map { try recorder.connection.connections(ofPort: $0) }
      throw TestFailure(
        """
        \(error), but \(recorder.latest(1).map { $0.last ?? .nan }) at \(sources)
        \(try connections.joined(separator: "\n"))
        the host: \(host.events.suffix(20).map(\.message).joined(separator: "\n"))
        """
      )
    }
  }

  /// The connections of every audio output of the server.
  private var connections: [String] {
    get throws {
      try recorder.connection.ports(flags: .output)
        .map { "\($0.name): \(try recorder.connection.connections(ofPort: $0.name))" }
    }
  }
}

extension SessionRig {
  /// Listens at a port of the host.
  func recorder(_ port: String) throws -> Heard { try recorder([port]) }

  /// Listens at ports of the host.
  func recorder(_ ports: [String]) throws -> Heard {
    let recorder = try Recorder(
      from: ports.map { host.port($0) },
      capacityFrames: 60 * 48_000,
      server: server,
    )
    recorder.start()
    return Heard(recorder: recorder, host: host)
  }

  /// A mono file that stands at a level.
  func constant(_ level: Float, seconds: Int) throws -> URL {
    let samples = [Float](repeating: level, count: seconds * 48_000)
    return URL(
      filePath: try scratch.write([samples], to: "constant-\(level).wav", format: .wavFloat32)
    )
  }

  /// The highest sample of a file.
  func peak(of url: URL) throws -> Float {
    try Signals.read(url.path).map { Signals.peak($0) }.max() ?? 0
  }
}
