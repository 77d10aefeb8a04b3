// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import Mutating

/// `mutate`, which `scripts/test-mutants` calls.
@main
struct Mutate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Rewrite sources so that one build has all mutants, one of which is chosen at run time.",
  )

  @Option(help: "The folder with the sources.")
  var from: String

  @Option(
    help: "The folder to write the rewritten files to; files that are right already stay untouched."
  )
  var to: String

  @Option(help: "The file to write the places of mutants to, one JSON object in a line.")
  var places: String

  @Option(help: "A file with the keys of mutants to leave out, one in a line.")
  var without: String

  @Argument(help: "The targets: folders in Sources.")
  var targets: [String]

  func run() throws {
    let leftOut = try String(contentsOfFile: without, encoding: .utf8).split(separator: "\n")
    var mutator = Mutator(leavingOut: Set(leftOut.map(String.init)))
    for target in targets {
      for file in try sources(of: target) {
        let source = try String(contentsOfFile: "\(from)/\(file)", encoding: .utf8)
        try write(mutator.rewrite(source, file: file, target: target), to: "\(to)/\(file)")
      }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let lines = try mutator.places.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
    try write(lines.map { $0 + "\n" }.joined(), to: places)
  }

  /// The Swift files of a target, in the same order always.
  private func sources(of target: String) throws -> [String] {
    let folder = "Sources/\(target)"
    let names = try FileManager.default.subpathsOfDirectory(atPath: "\(from)/\(folder)")
    return names.filter { $0.hasSuffix(".swift") }.sorted().map { "\(folder)/\($0)" }
  }

  /// Writes a file unless it has this text, so that the next build compiles what changed.
  private func write(_ text: String, to path: String) throws {
    let old = try? String(contentsOfFile: path, encoding: .utf8)
    guard old != text else { return }
    let folder = URL(filePath: path).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }
}
