// SPDX-License-Identifier: MIT

internal import SwiftOperators
internal import SwiftParser
internal import SwiftSyntax

/// Rewrites sources so that one build has all mutants: each place asks at run time whether its mutant is the chosen one.
///
/// `a < b` becomes `Mutant.less(7, a, b)`, which is `a <= b` in mutant 7. Numbers go on from file to file. The module `Mutant` is
/// `scripts/mutants/Choice`. Pure value: [any-thread].
public struct Mutator: Sendable {
  /// The places of all files that were rewritten, those left out too.
  public private(set) var places: [Place] = []
  private let leftOut: Set<String>

  /// Makes a mutator.
  ///
  /// - Parameter leftOut: The keys of mutants that do not compile: they keep their numbers, and the source stays as it is.
  public init(leavingOut leftOut: Set<String> = []) { self.leftOut = leftOut }

  /// Rewrites a file.
  ///
  /// - Parameters:
  ///   - source: The file's text.
  ///   - file: Its path, from the repository.
  ///   - target: The target it belongs to.
  /// - Returns: The new text, with the same lines.
  public mutating func rewrite(_ source: String, file: String, target: String) -> String {
    let parsed = Parser.parse(source: source)
    let tree = OperatorTable.standardOperators.foldAll(parsed) { _ in }
    let converter = SourceLocationConverter(fileName: file, tree: parsed)
    let finder = PlaceFinder(
      file,
      source,
      from: places.count + 1,
      leavingOut: leftOut,
      converter,
    )
    finder.walk(tree)
    for found in finder.found {
      places.append(
        Place(
          key: found.key,
          number: places.count + 1,
          target: target,
          file: file,
          line: found.line,
          column: found.column,
          original: found.original,
          mutated: found.mutated,
          text: found.text,
          firstLine: found.around.lowerBound,
          lastLine: found.around.upperBound,
        )
      )
    }
    if finder.isUnchanged { return source }
    return "public import Mutant; " + finder.insertions.applied(to: source)
  }
}
