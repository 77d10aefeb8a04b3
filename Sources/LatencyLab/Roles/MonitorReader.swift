// SPDX-License-Identifier: MIT

import Glibc
import Synchronization
import SystemSupport

/// Reads stereo samples that a program writes into a named pipe, and keeps those asked for.
///
/// Safe from any thread: [any-thread].
final class MonitorReader: Sendable {
  private struct State {
    var samples: [Float] = []
    var wanted = 0
  }

  private let state = Mutex(State())

  /// Starts reading, on a thread that ends with the writer.
  ///
  /// - Parameter path: The named pipe.
  /// - Throws: ``LabError`` `tool` when the system has no thread.
  init(path: String) throws(LabError) {
    guard BackgroundThread.start(name: "lab-monitor", { [self] in run(path) }) else {
      throw LabError(.tool, "the system has no thread to read \(path) on")
    }
  }

  /// Discards the stored frames, and stores this number of frames from now on.
  func begin(frames: Int) {
    state.withLock { $0 = State(wanted: frames * Self.channels) }
  }

  /// Frames kept so far.
  var frames: Int { state.withLock { $0.samples.count / Self.channels } }

  /// The kept samples, by channel.
  var channelSamples: [[Float]] {
    let all = state.withLock { $0.samples }
    return (0..<Self.channels).map { channel in
      stride(from: channel, to: all.count - all.count % Self.channels, by: Self.channels)
        .map { all[$0] }
    }
  }

  private func run(_ path: String) {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: Self.blockBytes)
    while true {
      let count = unsafe read(file, &block, block.count)
      guard count > 0 else { return }
      bytes += block[..<count]
      // Whole frames only; the rest waits for what follows it.
      let whole = bytes.count - bytes.count % Self.frameBytes
      let samples = stride(from: 0, to: whole, by: 4).map { start in
        Float(
          bitPattern: bytes[start..<start + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        )
      }
      bytes.removeFirst(whole)
      state.withLock { state in
        state.samples += samples.prefix(max(0, state.wanted - state.samples.count))
      }
    }
  }

  private static let channels = 2
  private static let frameBytes = 4 * channels
  private static let blockBytes = 1 << 16
}
