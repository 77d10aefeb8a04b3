// SPDX-License-Identifier: MIT

internal import CSystemSupport
internal import Glibc

/// Reading end of a pipe, closed with the value; hands out bytes or lines.
///
/// Used by one thread at a time: [any-thread].
final class StreamReader {
  /// The destination of the input.
  enum Sink {
    case lines((String) -> Void)
    case bytes((ArraySlice<UInt8>) -> Void)
  }

  private let descriptor: Int32
  private let sink: Sink
  private var partial: [UInt8] = []
  private var buffer = [UInt8](repeating: 0, count: 4096)

  /// A line without end must not take all memory.
  private static let longestLine = 4096
  /// Reads after a child's end, as much as a pipe holds: a grandchild that writes on does not hold up the reaping.
  private static let readsAfterEnd = 16

  init(_ descriptor: Int32, _ sink: Sink) {
    self.descriptor = descriptor
    self.sink = sink
  }

  deinit { close(descriptor) }

  /// Reads all streams until each has ended, or until the process has ended and its output is read.
  static func read(_ streams: [StreamReader], untilEndOf pid: Int32) {
    let process = system_process_descriptor(pid)
    defer { if process >= 0 { close(process) } }
    var open = streams
    while !open.isEmpty {
      // poll ignores a negative descriptor, which stands for a kernel without process descriptors.
      var polls = open.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
      polls.append(pollfd(fd: process, events: Int16(POLLIN), revents: 0))
      guard unsafe poll(&polls, nfds_t(polls.count), -1) > 0 else {
        if errno == EINTR { continue }
        break
      }
      if polls[open.count].revents != 0 {
        for stream in open { stream.drain() }
        return
      }
      for index in open.indices.reversed() where polls[index].revents != 0 {
        if !open[index].read() { open.remove(at: index) }
      }
    }
  }

  /// Reads the available input; false at the end.
  private func read() -> Bool {
    let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
    if count < 0, errno == EINTR { return true }
    guard count > 0 else {
      flush()
      return false
    }
    switch sink {
    case .bytes(let handle): handle(buffer[..<count])
    case .lines:
      for byte in buffer[..<count] {
        if byte == UInt8(ascii: "\n") || partial.count == Self.longestLine {
          flush()
        } else {
          partial.append(byte)
        }
      }
    }
    return true
  }

  private func drain() {
    for _ in 0..<Self.readsAfterEnd {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&waiting, 1, 0) > 0, read() else { break }
    }
    flush()
  }

  private func flush() {
    guard case .lines(let handle) = sink, !partial.isEmpty else { return }
    let line = String(decoding: partial, as: UTF8.self)
    partial.removeAll(keepingCapacity: true)
    handle(line)
  }
}
