// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Testing

@testable import CommandSupport

/// Standard output that nobody reads, or not at once.
@Suite(.timeLimit(.minutes(1)))
struct OutputQueueTests {
  /// A pipe with its two ends.
  private func pipe() -> (reader: Int32, writer: Int32) {
    var ends: [Int32] = [0, 0]
    #expect(unsafe Glibc.pipe(&ends) == 0)
    return (ends[0], ends[1])
  }

  private func read(_ descriptor: Int32, bytes: Int) -> String {
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while text.count < bytes {
      let count = unsafe Glibc.read(descriptor, &chunk, min(chunk.count, bytes - text.count))
      guard count > 0 else { break }
      text += chunk[..<count]
    }
    return String(decoding: text, as: UTF8.self)
  }

  @Test func `lines are read in their order`() throws {
    let pipe = pipe()
    let queue = try #require(OutputQueue(descriptor: pipe.writer))
    for number in 0..<100 { queue.put("line \(number)\n") }
    let expected = (0..<100).map { "line \($0)\n" }.joined()
    #expect(read(pipe.reader, bytes: expected.utf8.count) == expected)
    #expect(queue.finish(within: .seconds(30)))
    #expect(queue.leftOut == 0)
  }

  @Test func `a reader that stops holds nobody up, and later lines are left out`() throws {
    let pipe = pipe()
    let queue = try #require(OutputQueue(descriptor: pipe.writer))
    let line = String(repeating: "x", count: 1023) + "\n"
    // Ten times what waits.
    for _ in 0..<10_240 { queue.put(line) }
    #expect(queue.leftOut > 8_000)
    #expect(!queue.finish(within: .milliseconds(1)))
    // When it reads on, it has whole lines.
    #expect(read(pipe.reader, bytes: 1024 * 500) == String(repeating: line, count: 500))
  }

  @Test func `a reader that goes ends the output and nothing else`() async throws {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_IGN)
      var ends: [Int32] = [0, 0]
      _ = unsafe Glibc.pipe(&ends)
      close(ends[0])
      guard let queue = OutputQueue(descriptor: ends[1]) else { exit(1) }
      queue.put("a\n")
      queue.finish(within: .seconds(30))
      guard queue.isClosed else { exit(2) }
      queue.put("b\n")
      guard queue.leftOut == 1 else { exit(3) }
    }
  }
}
