// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import GraphFiles

@Suite("100,000 broken graph files")
struct MutationTests {
  /// Runs side by side; together they make the hundred thousand.
  static let runs = 8
  static let filesPerRun = 12_500

  /// The shipped graphs without their comments, which would only dilute the changes.
  static let originals = ShippedGraphs.names.compactMap { name in
    try? String(contentsOfFile: ShippedGraphs.path(name), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.prefix { $0 != "#" } }
      .joined(separator: "\n")
  }

  @Test(
    "each one is a graph, or has faults at places that are in it",
    .timeLimit(.minutes(5)),
    arguments: 0..<runs,
  )
  func mutated(run: Int) throws {
    try #require(Self.originals.count == ShippedGraphs.names.count)
    var mutator = Mutator(Self.originals, seed: TestSeed.derived(number: run))
    var graphs = 0
    for index in 0..<Self.filesPerRun {
      let bytes = mutator.next()
      let text = String(decoding: bytes, as: UTF8.self)
      let start = ContinuousClock.now
      let problem = problem(of: text)
      let duration = ContinuousClock.now - start
      if problem == nil { graphs += 1 }
      if let problem, !problem.isEmpty {
        Issue.record("run \(run), file \(index): \(problem)\n\(text)")
        return
      }
      if duration > .seconds(10) {
        Issue.record("run \(run), file \(index): took \(duration)\n\(text)")
      }
    }
    // If all changes broke the file, or none did, the test would be useless.
    #expect((Self.filesPerRun / 100..<Self.filesPerRun / 2).contains(graphs))
  }

  /// Nil for a graph, empty for correct faults, else a description of their errors.
  private func problem(of text: String) -> String? {
    let found = faults(of: text)
    guard !found.isEmpty else { return nil }
    let lengths = lineLengths(of: text)
    for fault in found {
      let isPlaced =
        (1...lengths.count).contains(fault.line)
        && (1...lengths[fault.line - 1] + 1).contains(fault.column)
      if !isPlaced || fault.message.isEmpty || fault.message.contains("\n") {
        return "\(fault) is not a line about a place in the file"
      }
    }
    return ""
  }

  /// The number of characters in each line, without the line breaks of YAML.
  private func lineLengths(of text: String) -> [Int] {
    var lengths = [0]
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n" where previous == "\r": break
      case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": lengths.append(0)
      default: lengths[lengths.count - 1] += 1
      }
      previous = scalar
    }
    return lengths
  }
}
