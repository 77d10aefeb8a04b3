// SPDX-License-Identifier: MIT

import Foundation
import FoundationEssentials
import Synchronization
import TestSupport

/// A folder of a test's own, removed with the object.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory
      .appending(path: "multiroute-files-\(UUID().uuidString)").path(percentEncoded: false)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of a file in the folder.
  func file(_ name: String) -> String {
    path + "/" + name
  }

  /// The names of the files in it, in order.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}

/// Collects events from another thread.
final class EventLog<Event: Sendable>: Sendable {
  private let events = Mutex<[Event]>([])

  /// The events so far.
  var all: [Event] { events.withLock { $0 } }

  func append(_ event: Event) {
    events.withLock { $0.append(event) }
  }
}

/// Random numbers that are the same at every run.
struct Xorshift: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
  }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}

/// The sox command, which makes and reads files independently of us.
enum Sox {
  /// Runs sox and waits for its success.
  static func run(_ arguments: String...) async throws {
    let end = try await runProgram("sox", ["-V1", "-R", "-D"] + arguments)
    guard end.status == 0 else { throw TestFailure("sox \(arguments): \(end.errors)") }
  }
}

/// The sounds that come with the graphs.
enum Media {
  static let names = ["click.mp3", "deck-a.flac", "deck-b.flac", "deck-b.ogg", "voice.wav"]

  static func path(_ name: String, from file: String = #filePath) -> String {
    URL(filePath: file).deletingLastPathComponent()
      .appending(path: "../../graphs/media/" + name).standardized.path(percentEncoded: false)
  }
}
