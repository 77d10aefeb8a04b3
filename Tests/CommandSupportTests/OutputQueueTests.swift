// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Logging
import Testing

@testable import CommandSupport

/// Standard output and standard error that nobody reads, or not at once.
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

  @Test func `a reader that reads on is told once how many texts are missing`() throws {
    let pipe = pipe()
    let queue = try #require(OutputQueue(descriptor: pipe.writer) { "(\($0) missing)\n" })
    let line = String(repeating: "x", count: 1023) + "\n"
    for _ in 0..<10_240 { queue.put(line) }
    let kept = 10_240 - queue.leftOut
    #expect(read(pipe.reader, bytes: 1024 * kept) == String(repeating: line, count: kept))
    let missing = "(\(queue.leftOut) missing)\n"
    queue.put("a\n")
    queue.put("b\n")
    let expected = missing + "a\nb\n"
    #expect(read(pipe.reader, bytes: expected.utf8.count) == expected)
  }

  @Test func `standard error that nobody reads holds up neither complaints nor the log`() async {
    await #expect(processExitsWith: .success) {
      var ends: [Int32] = [0, 0]
      guard unsafe Glibc.pipe(&ends) == 0, dup2(ends[1], STDERR_FILENO) == STDERR_FILENO else {
        exit(1)
      }
      Terminal.waitsForNoReader()
      Log.begin(at: .warning)
      let logger = Logger(label: "test")
      // A pipe holds 64 KiB.
      for number in 0..<2_000 {
        Terminal.complain("complaint number \(number) that nobody reads")
        logger.warning("line number \(number) that nobody reads")
      }
      // The testing library writes to standard error, too.
      _exit(0)
    }
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
