// SPDX-License-Identifier: MIT

import Foundation
import FoundationEssentials
import Glibc
import SystemSupport
import TestSupport
import Testing

/// The suites that need a server, one after the other: a process is the client of one at a time.
@Suite(.serialized) enum JACKSuites {}

/// A directory that is gone when the test is.
final class TemporaryDirectory {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path() + "latency-lab-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      at: URL(filePath: path),
      withIntermediateDirectories: true
    )
  }

  deinit { try? FileManager.default.removeItem(at: URL(filePath: path)) }

  func write(_ text: String, to name: String) throws -> String {
    let file = "\(path)/\(name)"
    try Data(text.utf8).write(to: URL(filePath: file))
    return file
  }
}

/// A reproducible source of randomness (xorshift64*).
struct TestRandom: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return state &* 0x2545_F491_4F6C_DD1D
  }

  /// A value of the normal distribution.
  mutating func normal() -> Double {
    let radius = (-2 * log(Double.random(in: 1e-300...1, using: &self))).squareRoot()
    return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &self))
  }
}

/// Runs one of JACK's own measuring programs and reads its figures.
enum ForeignTool {
  /// Starts a program and ends it again after `body` has seen enough of its output.
  ///
  /// - Returns: The lines it wrote.
  static func run(
    _ name: String,
    _ arguments: [String],
    server: String,
    output path: String,
    while body: () async throws -> Void,
  ) async throws -> [String] {
    let process = try ChildProcess.start(
      "stdbuf",
      ["-oL", name] + arguments,
      environment: ["JACK_DEFAULT_SERVER": server, "JACK_NO_START_SERVER": "1"],
      bond: .bound,
      output: .file(path),
      errors: .file(path),
    )
    defer {
      // jack_iodelay does not end at SIGTERM.
      process.send(SIGKILL)
      #expect(process.waitForExit(within: .seconds(20)))
    }
    try await body()
    let text = try String(contentsOfFile: path, encoding: .utf8)
    return text.split(whereSeparator: \.isNewline).map(String.init)
  }

  /// The figures before the word "frames", in order.
  ///
  /// Whole ones are left out: they are not readings but what jack_iodelay makes of them.
  static func frames(in lines: [String]) -> [Double] {
    lines.compactMap { line in
      let words = line.split(separator: " ")
      guard let index = words.firstIndex(of: "frames"), index > 0, words[index - 1].contains(".")
      else { return nil }
      return Double(words[index - 1])
    }
  }
}
