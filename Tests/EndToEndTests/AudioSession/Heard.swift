// SPDX-License-Identifier: MIT

import AudioFiles
import Foundation
import TestSupport

@testable import AudioSession

/// What is heard at ports of the host.
struct Heard {
  let recorder: Recorder

  /// Waits until the signal of a single port stands at a level.
  func waitForLevel(_ level: Float) async throws { try await waitForLevels([level]) }

  /// Waits until the signals of all ports stand at these levels at once.
  func waitForLevels(_ levels: [Float]) async throws {
    do {
      try await waitUntil("the levels are \(levels)") {
        zip(recorder.captured.channels, levels).allSatisfy { samples, level in
          let end = samples.suffix(256)
          return end.count == 256 && end.allSatisfy { abs($0 - level) < 0.001 }
        }
      }
    } catch {
      throw TestFailure("\(error), but \(recorder.captured.channels.map { $0.last ?? .nan })")
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
      capacityFrames: 20 * 48_000,
      server: server,
    )
    recorder.start()
    return Heard(recorder: recorder)
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
