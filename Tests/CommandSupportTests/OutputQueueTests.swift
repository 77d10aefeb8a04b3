// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Logging
import TestSupport
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

  private func read(_ descriptor: Int32, bytes: Int) async -> String {
    await onOwnThread { Self.text(of: descriptor, bytes: bytes) }
  }

  private static func text(of descriptor: Int32, bytes: Int) -> String {
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while text.count < bytes {
      let count = unsafe Glibc.read(descriptor, &chunk, min(chunk.count, bytes - text.count))
      guard count > 0 else { break }
      text += chunk[..<count]
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads whole lines until so many of them are wanted ones.
  ///
  /// - Returns: All lines without their ends; nil where the stream ends before.
  private func lines(
    of descriptor: Int32,
    count: Int,
    where isWanted: @escaping @Sendable (String) -> Bool,
  ) async -> [String]? {
    await onOwnThread { Self.lines(of: descriptor, count: count, where: isWanted) }
  }

  private static func lines(
    of descriptor: Int32,
    count: Int,
    where isWanted: (String) -> Bool,
  ) -> [String]? {
    var lines: [String] = []
    var text: [UInt8] = []
    var wanted = 0
    while wanted < count {
      var byte: UInt8 = 0
      guard unsafe Glibc.read(descriptor, &byte, 1) == 1 else { return nil }
      guard byte == UInt8(ascii: "\n") else {
        text.append(byte)
        continue
      }
      let line = String(decoding: text, as: UTF8.self)
      text = []
      if isWanted(line) { wanted += 1 }
      lines.append(line)
    }
    return lines
  }

  @Test func `lines are read in their order`() async throws {
    let pipe = pipe()
    let queue = try #require(OutputQueue(descriptor: pipe.writer))
    for number in 0..<100 { queue.put("line \(number)\n") }
    let expected = (0..<100).map { "line \($0)\n" }.joined()
    #expect(await read(pipe.reader, bytes: expected.utf8.count) == expected)
    #expect(await onOwnThread { queue.finish(within: .seconds(30)) })
    #expect(queue.leftOut == 0)
  }

  @Test func `a reader that stops holds nobody up, and later lines are left out`() async throws {
    let pipe = pipe()
    let queue = try #require(OutputQueue(descriptor: pipe.writer))
    let line = String(repeating: "x", count: 1023) + "\n"
    // Ten times what waits.
    for _ in 0..<10_240 { queue.put(line) }
    #expect(queue.leftOut > 8_000)
    #expect(!queue.finish(within: .milliseconds(1)))
    // When it reads on, it has whole lines.
    #expect(await read(pipe.reader, bytes: 1024 * 500) == String(repeating: line, count: 500))
  }

  @Test func `a reader that reads on is told once of each text that is missing`() async throws {
    let pipe = pipe()
    let queue = try #require(OutputQueue(descriptor: pipe.writer) { "missing \($0)\n" })
    let line = String(repeating: "x", count: 1023) + "\n"
    for _ in 0..<10_240 { queue.put(line) }
    let missing = queue.leftOut
    #expect(missing > 8_000)
    // A thread that begins late takes its first text when some are missing already, and tells of them there.
    let first = try #require(
      await lines(of: pipe.reader, count: 10_240 - missing) { $0.hasPrefix("x") },
    )
    queue.put("a\n")
    queue.put("b\n")
    let last = try #require(await lines(of: pipe.reader, count: 2) { $0 == "a" || $0 == "b" })
    let told = (first + last).compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
    #expect(told.reduce(0, +) == missing)
    #expect(told.count <= 2)
    #expect(first.filter { $0.hasPrefix("x") }.allSatisfy { $0.utf8.count == 1023 })
    #expect(last.dropLast().last == "a" && last.last == "b")
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
