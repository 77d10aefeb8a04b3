// SPDX-License-Identifier: MIT

import Synchronization

/// Collects events from another thread.
final class EventLog<Event: Sendable>: Sendable {
  private let events = Mutex<[Event]>([])

  /// What has come so far.
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
