// SPDX-License-Identifier: MIT

import Glibc
import Synchronization
import SystemSupport

/// Output that waits for its reader on a thread of its own, so that a reader that stops never stops the program.
///
/// [any-thread]
final class OutputQueue: Sendable {
  /// The most bytes that wait; text that finds no room is left out.
  static let limitBytes = 1 << 20

  private struct State {
    var waiting: [UInt8] = []
    /// Whether the thread writes.
    var isWriting = false
    /// Whether nobody will ever read again.
    var isClosed = false
    var leftOut = 0
    /// How many of the texts that were left out the reader was told of.
    var told = 0
  }

  private let descriptor: Int32
  private let note: (@Sendable (Int) -> String)?
  private let state = Mutex(State())
  private let work = MonotonicSemaphore(value: 0)
  private let idle = MonotonicSemaphore(value: 0)

  /// Starts the thread; nil if the system refuses it.
  ///
  /// - Parameters:
  ///   - descriptor: The stream.
  ///   - note: The text in the place of so many texts that were left out; nil for none.
  init?(descriptor: Int32, note: (@Sendable (Int) -> String)? = nil) {
    self.descriptor = descriptor
    self.note = note
    let isStarted = BackgroundThread.start(name: "output") { [self] in run() }
    guard isStarted else { return nil }
  }

  /// The number of texts that were left out because nobody read.
  var leftOut: Int { state.withLock { $0.leftOut } }

  /// Whether the reader has gone.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Hands text over.
  func put(_ text: String) {
    let isTaken = state.withLock { state in
      guard !state.isClosed, state.waiting.count + text.utf8.count <= Self.limitBytes else {
        state.leftOut += 1
        return false
      }
      if let note, state.leftOut > state.told {
        state.waiting += note(state.leftOut - state.told).utf8
        state.told = state.leftOut
      }
      state.waiting += text.utf8
      return true
    }
    if isTaken { work.signal() }
  }

  /// Waits until all is read, at most for so long.
  ///
  /// - Returns: Whether all was read.
  @discardableResult
  func finish(within limit: Duration) -> Bool {
    let deadline = ContinuousClock.now + limit
    while state.withLock({ !$0.isClosed && ($0.isWriting || !$0.waiting.isEmpty) }) {
      guard idle.wait(until: deadline) else { return false }
    }
    return true
  }

  private func run() {
    while true {
      work.wait()
      let bytes = state.withLock { state -> [UInt8] in
        state.isWriting = true
        defer { state.waiting = [] }
        return state.waiting
      }
      let isOpen = write(bytes)
      state.withLock { state in
        state.isWriting = false
        state.isClosed = !isOpen
      }
      idle.signal()
      guard isOpen else { return }
    }
  }

  private func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        unsafe poll(&wanted, 1, -1)
        continue
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
